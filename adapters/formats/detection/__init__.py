"""What a file seems to be, by a sample of it: which field is what, and how its values are written.

Read `detect` first, which takes a sample and makes findings of it. `findings` says what is found, guessed, asked and
warned of; `sample` reads the first records; `roles` decides which field is the text, the labels, the id and the time;
`values` looks at what a field holds, `encodings` at the bytes. `date_formats`, `separators`, `markup` and
`label_checks` each look at one thing that goes wrong without a word, and `folders` at folders given for files. All but
`sample` and `folders` are pure.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
