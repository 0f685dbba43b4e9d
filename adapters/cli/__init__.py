"""The command line.

Read `main` first, then `command_table`, which finds the commands, and `command`, how one declares itself: `commands`
has a module for each, and `actions` has the code of the larger ones. `parser` and `help` turn arguments, and
`config_file` a TOML file, into `options`; `run_options` and `run_command` are what `replay` and `consume` share.
`resume` resumes a run or begins with the learners of another, `input_identity` checks that a resumed run reads the same
input, `outputs` refuses to write into what is read, `pipeline_table` lists the stages that a document passes, `signals`
ends a run in order, and `standard_streams` keeps a closed or full stream from ending one.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
