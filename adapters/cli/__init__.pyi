from .command import Command as Command
from .input_identity import check_inputs as check_inputs
from .options import Options as Options
from .resume import Start as Start
from .resume import run_facts as run_facts
from .stored_run import read_stored_run as read_stored_run

__all__ = [
    "Command",
    "Options",
    "Start",
    "check_inputs",
    "read_stored_run",
    "run_facts",
]
