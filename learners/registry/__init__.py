"""Learners and losses by name, as a command line or a settings file gives them.

Read `specification` first: ``mmp:loss=avgp`` becomes a learner there. `installed` finds the classes that packages have
at their entry points, `parameter` reads the values of their parameters. `losses` has the losses by name, and
`descriptions` what learners and losses are, for lists of them.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
