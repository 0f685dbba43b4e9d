from .date_formats import date_format as date_format
from .detect import detect as detect
from .detect import findings_of as findings_of
from .encodings import encoding_of as encoding_of
from .findings import Findings as Findings
from .findings import FoundField as FoundField
from .findings import Guess as Guess
from .findings import Question as Question
from .findings import format_spec as format_spec
from .folders import files_in_folder as files_in_folder
from .folders import said_of_folder as said_of_folder
from .further_inputs import EACH as EACH
from .further_inputs import difference as difference
from .further_inputs import own_encoding as own_encoding
from .further_inputs import tell_encodings as tell_encodings
from .label_checks import histogram as histogram
from .sample import BYTES as BYTES
from .sample import MOST as MOST
from .sample import Sample as Sample
from .separators import label_separator as label_separator

__all__ = [
    "BYTES",
    "EACH",
    "MOST",
    "Findings",
    "FoundField",
    "Guess",
    "Question",
    "Sample",
    "date_format",
    "detect",
    "difference",
    "encoding_of",
    "files_in_folder",
    "findings_of",
    "format_spec",
    "histogram",
    "label_separator",
    "own_encoding",
    "said_of_folder",
    "tell_encodings",
]
