from .arrays import Bytes as Bytes
from .arrays import Flags as Flags
from .arrays import Ids as Ids
from .arrays import Keys as Keys
from .arrays import Offsets as Offsets
from .arrays import Reals as Reals
from .arrays import Values as Values
from .arrays import without_nan as without_nan
from .background import POLITENESS as POLITENESS
from .background import polite_thread as polite_thread
from .batch import COLUMNS as COLUMNS
from .batch import Batch as Batch
from .batch import BatchBuilder as BatchBuilder
from .batch import columns_fit as columns_fit
from .batch import number_features as number_features
from .batch import relevant_labels as relevant_labels
from .batch import row_starts as row_starts
from .best_labels import best as best
from .best_labels import sets as sets
from .contributions import Reasons as Reasons
from .contributions import alone as alone
from .contributions import reasons_of as reasons_of
from .contributions import top as top
from .errors import BrokenRecordError as BrokenRecordError
from .errors import InputError as InputError
from .errors import StoppedError as StoppedError
from .errors import TelexError as TelexError
from .errors import UsageError as UsageError
from .label_sets import Labels as Labels
from .label_sets import sets_of as sets_of
from .label_sets import sets_state as sets_state
from .names import Names as Names
from .names import in_order as in_order
from .predictions import Events as Events
from .predictions import Predictions as Predictions
from .predictions import forgotten_before as forgotten_before
from .predictions import undelayed as undelayed
from .recycled_ids import Forget as Forget
from .recycled_ids import Forgets as Forgets
from .recycled_ids import Forgotten as Forgotten
from .recycled_ids import Gone as Gone
from .recycled_ids import GoneSince as GoneSince
from .recycled_ids import grown as grown
from .savable import State as State
from .span import Span as Span
from .span import is_span as is_span
from .span import seconds as seconds
from .span import span as span
from .strings import Strings as Strings
from .tie_order import key as key

__all__ = [
    "COLUMNS",
    "POLITENESS",
    "Batch",
    "BatchBuilder",
    "BrokenRecordError",
    "Bytes",
    "Events",
    "Flags",
    "Forget",
    "Forgets",
    "Forgotten",
    "Gone",
    "GoneSince",
    "Ids",
    "InputError",
    "Keys",
    "Labels",
    "Names",
    "Offsets",
    "Predictions",
    "Reals",
    "Reasons",
    "Span",
    "State",
    "StoppedError",
    "Strings",
    "TelexError",
    "UsageError",
    "Values",
    "alone",
    "best",
    "columns_fit",
    "forgotten_before",
    "grown",
    "in_order",
    "is_span",
    "key",
    "number_features",
    "polite_thread",
    "reasons_of",
    "relevant_labels",
    "row_starts",
    "seconds",
    "sets",
    "sets_of",
    "sets_state",
    "span",
    "top",
    "undelayed",
    "without_nan",
]
