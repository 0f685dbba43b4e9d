from .csv_cells import plain_cell as plain_cell
from .csv_cells import safe_cell as safe_cell
from .encoding import decoded as decoded
from .encoding import encoded as encoded
from .encoding import utf8_name as utf8_name
from .json_file import parse_json as parse_json
from .json_file import read_json as read_json
from .regular_file import LARGEST as LARGEST
from .regular_file import open_regular as open_regular
from .regular_file import read_at_most as read_at_most

__all__ = [
    "LARGEST",
    "decoded",
    "encoded",
    "open_regular",
    "parse_json",
    "plain_cell",
    "read_at_most",
    "read_json",
    "safe_cell",
    "utf8_name",
]
