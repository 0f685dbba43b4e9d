"""The command line.

Read `main` first, then `command_table`, which finds the commands, and `command`, how one declares itself: `commands`
has a module for each, and `actions` what the larger ones do. `parser` and `help` turn arguments, and `config_file` a
TOML file, into `options`; `run_options` and `run_command` are what `replay` and `consume` share. `resume` takes up a
run or begins from another, `input_identity` checks that a resumed run reads the same input, `explanation` says what a
document passes, and `signals` ends a run in order.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
