"""What formats with named columns share.

Read `named_columns` first: which column holds the text, the labels and the rest. `quoted_rows` cuts lines into cells,
and `row_ends` finds where rows end in a file that grows. `parquet_reader` reads parquet files by way of pyarrow.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
