from . import named_columns as named_columns
from .named_columns import ColumnOptions as ColumnOptions
from .named_columns import TableColumns as TableColumns
from .named_columns import has_text as has_text
from .named_columns import is_one_hot as is_one_hot
from .named_columns import separator_sign as separator_sign
from .parquet_reader import MAGIC as MAGIC
from .parquet_reader import class_names as class_names
from .parquet_reader import import_pyarrow as import_pyarrow
from .parquet_reader import is_label as is_label
from .parquet_reader import is_text as is_text
from .parquet_reader import is_time as is_time
from .parquet_reader import is_vectors as is_vectors
from .parquet_reader import json_rows as json_rows
from .parquet_reader import open_parquet as open_parquet
from .parquet_reader import read_columns as read_columns
from .quoted_rows import QuotedRows as QuotedRows
from .quoted_rows import ends_in_returns as ends_in_returns
from .quoted_rows import likely_delimiter as likely_delimiter
from .row_ends import first_row_end as first_row_end
from .row_ends import last_row_end as last_row_end
from .workbook_reader import SHEETS as SHEETS
from .workbook_reader import import_openpyxl as import_openpyxl
from .workbook_reader import workbook_rows as workbook_rows

__all__ = [
    "MAGIC",
    "SHEETS",
    "ColumnOptions",
    "QuotedRows",
    "TableColumns",
    "class_names",
    "ends_in_returns",
    "first_row_end",
    "has_text",
    "import_openpyxl",
    "import_pyarrow",
    "is_label",
    "is_one_hot",
    "is_text",
    "is_time",
    "is_vectors",
    "json_rows",
    "last_row_end",
    "likely_delimiter",
    "named_columns",
    "open_parquet",
    "read_columns",
    "separator_sign",
    "workbook_rows",
]
