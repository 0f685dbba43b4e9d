from .bias import Bias as Bias
from .check_records import CheckRecords as CheckRecords
from .duplicate_ids import DuplicateIds as DuplicateIds
from .feature_products import FeatureProducts as FeatureProducts
from .feature_products import factors as factors
from .featurizer import Featurizer as Featurizer
from .featurizer import no_text as no_text
from .label_encoder import LabelEncoder as LabelEncoder
from .limit import Limit as Limit
from .pipeline import REMEMBERED as REMEMBERED
from .pipeline import make_pipeline as make_pipeline
from .pipeline import reading_stages as reading_stages
from .read_ahead import ReadAhead as ReadAhead
from .renumber import Renumbering as Renumbering
from .repeated_texts import RepeatedTexts as RepeatedTexts
from .repeated_texts import Repeats as Repeats
from .repeated_texts import row_fingerprints as row_fingerprints
from .revised_ids import REVISIONS as REVISIONS
from .revised_ids import RevisedIds as RevisedIds
from .scale import Scale as Scale
from .scaler import Scaler as Scaler
from .skip_ahead import SkipAhead as SkipAhead
from .stage import Stage as Stage

__all__ = [
    "REMEMBERED",
    "REVISIONS",
    "Bias",
    "CheckRecords",
    "DuplicateIds",
    "FeatureProducts",
    "Featurizer",
    "LabelEncoder",
    "Limit",
    "ReadAhead",
    "Renumbering",
    "RepeatedTexts",
    "Repeats",
    "RevisedIds",
    "Scale",
    "Scaler",
    "SkipAhead",
    "Stage",
    "factors",
    "make_pipeline",
    "no_text",
    "reading_stages",
    "row_fingerprints",
]
