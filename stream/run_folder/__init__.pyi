from .all_comparisons import comparisons as comparisons
from .all_comparisons import split_names as split_names
from .curves_csv import CURVES_CSV as CURVES_CSV
from .curves_csv import SPANS as SPANS
from .curves_csv import CurveTable as CurveTable
from .curves_csv import read_curves as read_curves
from .dead_letters_jsonl import DEAD_LETTERS_JSONL as DEAD_LETTERS_JSONL
from .dead_letters_jsonl import read_dead_letters as read_dead_letters
from .epochs_csv import read_epochs as read_epochs
from .events_jsonl import read_events as read_events
from .file_reader import csv_rows as csv_rows
from .file_reader import csv_table as csv_table
from .file_reader import json_lines as json_lines
from .file_reader import reading as reading
from .file_sink import csv_text as csv_text
from .file_sink import open_output as open_output
from .file_sink import replace_file as replace_file
from .file_sink import writing as writing
from .label_history_csv import read_label_history as read_label_history
from .labels_csv import LABEL_COUNTS as LABEL_COUNTS
from .labels_csv import label_columns as label_columns
from .labels_csv import read_labels as read_labels
from .losses_bin import PartName as PartName
from .losses_bin import has_losses as has_losses
from .losses_bin import read_losses as read_losses
from .output_file import PART as PART
from .output_file import OutputFile as OutputFile
from .output_file import check_output as check_output
from .pair_tests import Pair as Pair
from .pair_tests import compare_learners as compare_learners
from .pair_tests import sequence as sequence
from .pair_tests import sequences as sequences
from .predictions_jsonl import PredictionsFile as PredictionsFile
from .predictions_jsonl import read_predictions as read_predictions
from .run_folder import RunFolder as RunFolder
from .run_folder import lock_folder as lock_folder
from .run_json import read_facts as read_facts
from .run_json import versions as versions
from .run_json import write_facts as write_facts
from .speed_csv import read_speed as read_speed
from .tree_fact import fact_tree as fact_tree
from .tree_fact import tree_fact as tree_fact
from .vacancy import INTAKE_JSONL as INTAKE_JSONL
from .vacancy import ORDER_BIN as ORDER_BIN
from .vacancy import can_resume as can_resume

__all__ = [
    "CURVES_CSV",
    "DEAD_LETTERS_JSONL",
    "INTAKE_JSONL",
    "LABEL_COUNTS",
    "ORDER_BIN",
    "PART",
    "SPANS",
    "CurveTable",
    "OutputFile",
    "Pair",
    "PartName",
    "PredictionsFile",
    "RunFolder",
    "can_resume",
    "check_output",
    "compare_learners",
    "comparisons",
    "csv_rows",
    "csv_table",
    "csv_text",
    "fact_tree",
    "has_losses",
    "json_lines",
    "label_columns",
    "lock_folder",
    "open_output",
    "read_curves",
    "read_dead_letters",
    "read_epochs",
    "read_events",
    "read_facts",
    "read_label_history",
    "read_labels",
    "read_losses",
    "read_predictions",
    "read_speed",
    "reading",
    "replace_file",
    "sequence",
    "sequences",
    "split_names",
    "tree_fact",
    "versions",
    "write_facts",
    "writing",
]
