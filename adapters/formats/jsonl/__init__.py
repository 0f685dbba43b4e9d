"""JSON lines, read and written: documents with texts or features, and answers in a file of their own.

Read `jsonl` first, the format. `fields` names the fields of a record, `text_records` and `feature_records` decode
blocks of lines, `answers` reads the labels that come apart from the documents, and `writer` writes documents.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
