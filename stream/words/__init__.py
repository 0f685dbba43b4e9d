"""Texts become features: tokens, stems, a vocabulary, weights. docs/definitions.md says exactly how.

Read `settings` first, what a user can choose, then `core_arguments`, which checks the choice, and `words`, which drives
the native core. `stemmers` and `word_lists` are the stemmers and stop words to choose from.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
