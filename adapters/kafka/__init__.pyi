from .brokers import Brokers as Brokers

__all__ = [
    "Brokers",
]
