"""The commands, one a file: each declares itself as ``COMMAND``, and is found by its file.

A module here imports nothing heavy at its top, so that ``telex --help`` is quick. What a command works with is imported
at the head of its ``run``; a command of more than a page names a function of a module in ``actions`` instead.
"""
