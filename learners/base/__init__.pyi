from . import plain_attributes as plain_attributes
from .array_types import Bytes as Bytes
from .array_types import Flags as Flags
from .array_types import Ids as Ids
from .array_types import Keys as Keys
from .array_types import Offsets as Offsets
from .array_types import Reals as Reals
from .array_types import Values as Values
from .array_types import without_nan as without_nan
from .background import POLITENESS as POLITENESS
from .background import polite_thread as polite_thread
from .background import processors as processors
from .batch import COLUMNS as COLUMNS
from .batch import Batch as Batch
from .batch import BatchBuilder as BatchBuilder
from .batch import columns_fit as columns_fit
from .batch import number_features as number_features
from .batch import relevant_labels as relevant_labels
from .batch import row_starts as row_starts
from .contributions import Explains as Explains
from .contributions import Reasons as Reasons
from .contributions import reasons_of as reasons_of
from .contributions import single_document as single_document
from .end_with_parent import end_with_parent as end_with_parent
from .errors import BrokenRecordError as BrokenRecordError
from .errors import InputError as InputError
from .errors import LabelLimitError as LabelLimitError
from .errors import StoppedError as StoppedError
from .errors import TelexError as TelexError
from .errors import UnclearInputError as UnclearInputError
from .errors import UsageError as UsageError
from .errors import error_line as error_line
from .feature_keys import FeatureKeys as FeatureKeys
from .label_sets import LabelSet as LabelSet
from .label_sets import load_label_sets as load_label_sets
from .label_sets import save_label_sets as save_label_sets
from .names import Names as Names
from .names import in_order as in_order
from .plain_file import check_plain_file as check_plain_file
from .predictions import Events as Events
from .predictions import Predictions as Predictions
from .predictions import answers_only as answers_only
from .predictions import check_forgets_nothing as check_forgets_nothing
from .predictions import check_predictions as check_predictions
from .predictions import check_steps as check_steps
from .predictions import comparable as comparable
from .predictions import forgotten_before as forgotten_before
from .predictions import undelayed_steps as undelayed_steps
from .recycled_ids import FirstForgotten as FirstForgotten
from .recycled_ids import Forget as Forget
from .recycled_ids import ForgetSteps as ForgetSteps
from .recycled_ids import Forgotten as Forgotten
from .recycled_ids import LastForgotten as LastForgotten
from .recycled_ids import with_room as with_room
from .savable import ChecksSaving as ChecksSaving
from .savable import Savable as Savable
from .savable import State as State
from .savable import as_savable as as_savable
from .savable import check_savable as check_savable
from .savable import is_savable as is_savable
from .span import Span as Span
from .span import is_span as is_span
from .span import seconds as seconds
from .span import span as span
from .strings import Strings as Strings
from .terminal_text import one_line as one_line
from .terminal_text import printable as printable
from .tie_order import name_hash as name_hash
from .tie_order import tie_key as tie_key
from .tie_order import tie_keys as tie_keys

__all__ = [
    "COLUMNS",
    "POLITENESS",
    "Batch",
    "BatchBuilder",
    "BrokenRecordError",
    "Bytes",
    "ChecksSaving",
    "Events",
    "Explains",
    "FeatureKeys",
    "FirstForgotten",
    "Flags",
    "Forget",
    "ForgetSteps",
    "Forgotten",
    "Ids",
    "InputError",
    "Keys",
    "LabelLimitError",
    "LabelSet",
    "LastForgotten",
    "Names",
    "Offsets",
    "Predictions",
    "Reals",
    "Reasons",
    "Savable",
    "Span",
    "State",
    "StoppedError",
    "Strings",
    "TelexError",
    "UnclearInputError",
    "UsageError",
    "Values",
    "answers_only",
    "as_savable",
    "check_forgets_nothing",
    "check_plain_file",
    "check_predictions",
    "check_savable",
    "check_steps",
    "columns_fit",
    "comparable",
    "end_with_parent",
    "error_line",
    "forgotten_before",
    "in_order",
    "is_savable",
    "is_span",
    "load_label_sets",
    "name_hash",
    "number_features",
    "one_line",
    "plain_attributes",
    "polite_thread",
    "printable",
    "processors",
    "reasons_of",
    "relevant_labels",
    "row_starts",
    "save_label_sets",
    "seconds",
    "single_document",
    "span",
    "tie_key",
    "tie_keys",
    "undelayed_steps",
    "with_room",
    "without_nan",
]
