"""Labels that come late: a document is predicted when it comes, judged and learnt when its answer does.

Read `settings` first, then `delay_queue`, which decides the order of asks and answers. `id_matcher` joins answers to
documents by id; `pending` holds the documents that wait, with their predictions, in blocks (`pending_block`) that go
to disk (`spill_file`) when memory is short. `answered` brings a document and its answer together again. `step_input`
is the input of one step, and `late_step` the same where answers come late.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
