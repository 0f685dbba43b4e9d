from .encoding import decoded as decoded
from .encoding import encoded as encoded
from .json_file import parse_json as parse_json
from .json_file import read_json as read_json

__all__ = [
    "decoded",
    "encoded",
    "parse_json",
    "read_json",
]
