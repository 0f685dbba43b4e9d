from .comparisons import comparisons as comparisons
from .file_sink import opened as opened
from .file_sink import replace as replace
from .file_sink import rows as rows
from .file_sink import writing as writing
from .losses_reader import Part as Part
from .losses_reader import kept as kept
from .pairs import Pair as Pair
from .pairs import compared as compared
from .pairs import sequence as sequence
from .pairs import sequences as sequences
from .predictions_jsonl import PredictionsFile as PredictionsFile
from .run_folder import RunFolder as RunFolder
from .run_folder import taken as taken
from .run_folder import versions as versions

__all__ = [
    "Pair",
    "Part",
    "PredictionsFile",
    "RunFolder",
    "compared",
    "comparisons",
    "kept",
    "opened",
    "replace",
    "rows",
    "sequence",
    "sequences",
    "taken",
    "versions",
    "writing",
]
