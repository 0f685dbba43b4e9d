from .decode import decode as decode
from .encode import encode as encode

__all__ = [
    "decode",
    "encode",
]
