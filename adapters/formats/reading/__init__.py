"""What formats share: from a path to raw records.

Read `input` first, a path or standard input, and `unchanged`, by which it notices that somebody writes there; then
`compression`, `zip_archive` and `tar_archive`, `unpacker` (what is in one input) and `files` (what is in folders), with
`unpacked_copy` for what would take long to unpack again. `line_blocks` cuts lines, `record_blocks` cuts records by a
pattern, `sparse_rows` parses rows of features in the native core. `story_format` and `filed_stories` are the base of
formats of texts, `native_stories` that of formats whose records a native reader decodes. `html_text` and `safe_xml`
read markup, `times` parses dates, `option_checks` checks what a user chose.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
