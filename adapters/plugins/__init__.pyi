from .module_constants import read_declarations as read_declarations

__all__ = [
    "read_declarations",
]
