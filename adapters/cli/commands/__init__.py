"""One module for each command, which it declares as ``COMMAND``; the file's name is the command's name.

A module here imports nothing heavy at its top, so that ``telex --help`` is quick. A command imports what it needs
inside its ``run``; one of more than a page names a function of a module in ``actions`` instead.
"""
