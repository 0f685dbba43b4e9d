"""From a sample to findings."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from telex.adapters.formats.detection.date_formats import date_format
from telex.adapters.formats.detection.findings import NAMES, Findings, Guess, Question
from telex.adapters.formats.detection.label_checks import (
    histogram,
    one_hot_digits,
    seen_always,
    seen_once,
    with_entities,
)
from telex.adapters.formats.detection.markup import html_guess
from telex.adapters.formats.detection.roles import ALIASES, OWN, SINGULAR, find_roles
from telex.adapters.formats.detection.sample import take_sample
from telex.adapters.formats.detection.separators import label_separator
from telex.adapters.formats.detection.values import columns_of, described, kind_of
from telex.adapters.formats.jsonl import BROKEN, NONE, ONE_HOT, StoryMap, broken_reason
from telex.learners.base import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from telex.adapters.formats.detection.sample import Sample
    from telex.adapters.formats.detection.values import Columns
    from telex.adapters.formats.reading import Input

_ROLES = tuple(ALIASES)
_BLOCK, _FEW_VALUES = 3, 0.5
_MISSING = frozenset({"nan", "null", "n/a", "none", "undefined"})
_LONG_NAME = 60
_MARKS = frozenset({"0", "1", "0.0", "1.0", "true", "false"})


def detect(
    format_name: str, source: Input, given: Mapping[str, Any], *, labelled: bool = True, readable: bool = True
) -> Findings:
    """Return what a sample of ``source`` says, beside what was ``given``.

    Unless it has to be ``labelled``, nothing is asked where no labels are found; unless it has to be ``readable``,
    nothing where no record can be read.
    """
    blank = Findings(format_name, given=dict(given), encoding=source.encoding or "utf-8")
    sample = take_sample(format_name, source, given)
    if sample is None:
        return blank
    return findings_of(sample, blank, labelled=labelled, readable=readable)


def findings_of(sample: Sample, blank: Findings, *, labelled: bool = True, readable: bool = True) -> Findings:
    """Return what a sample says, beside the format and the settings of ``blank``; the rest is as in :func:`detect`."""
    given = blank.given
    found = replace(blank, records=len(sample.records) + len(sample.broken), whole=sample.whole)
    if not sample.records:
        return replace(found, questions=(_all_broken(sample.broken),)) if sample.broken and readable else found
    columns = columns_of(sample.records)
    for name in sample.names:
        columns.setdefault(name, [])
    if "text" not in given and (question := _header_is_data(sample.names)):
        return replace(found, questions=(question,))
    found = replace(found, fields=tuple(described(name, values) for name, values in columns.items()))
    if given.get("vector") or _has_features(columns, given):
        return _of_features(found, columns, labelled=labelled)
    return _Looking(found, sample, columns, labelled=labelled, readable=readable).findings()


def _header_is_data(names: Sequence[str]) -> Question | None:
    """Return a question if the first row of a table looks like one of its documents, and names no column as usual."""
    usual = {alias for aliases in ALIASES.values() for alias in aliases}
    if not usual.isdisjoint(name.lower() for name in names):
        return None
    odd = next((name for name in names if len(name) > _LONG_NAME or name.replace(".", "").isdigit()), None)
    if odd is None:
        return None
    cause = (
        f"the first row is to name the columns, and {odd[:40]!r} is no name; write a row such as label,text above it"
    )
    return Question(cause, ())


def _has_features(columns: Columns, given: Mapping[str, Any]) -> bool:
    """Tell whether records are features or vectors, which the format reads by itself."""
    if "text" in given:
        return False
    features = any(name == "features" or name.startswith(("features.", "features[]")) for name in columns)
    return features or ("vector" in columns and not {"text", "body"} & columns.keys())


def _of_features(found: Findings, columns: Columns, *, labelled: bool) -> Findings:
    """Return the findings about records whose features are known."""
    name = str(found.given.get("labels", "labels"))
    labels = [value for value in columns.get(name, []) if isinstance(value, list)]
    counts = histogram([[str(label) for label in some] for some in labels])
    odd = [one for one in (seen_once(counts), seen_always(counts, len(labels))) if one is not None]
    if labelled and not labels:
        odd.append(f"none of the first {found.records:,} records has labels in {name!r}, so nothing can be learnt")
    return replace(
        found, labels=counts, warnings=tuple(f"{one}; if that is not meant, say labels=FIELD" for one in odd)
    )


class _Looking:
    """The guesses, questions and warnings about one sample."""

    def __init__(self, found: Findings, sample: Sample, columns: Columns, *, labelled: bool, readable: bool) -> None:
        self._found, self._sample, self._columns = found, sample, columns
        self._labelled, self._readable = labelled, readable
        self._given = found.given
        self._kind = found.format if found.format in OWN else "table"
        self._guesses, self._questions = list[Guess](), list[Question]()
        self._roles = find_roles(columns, self._given)

    def findings(self) -> Findings:
        """Return all that was found."""
        self._name_fields()
        self._look_at_labels()
        self._look_at_times()
        self._look_at_markup()
        labels = self._documents()
        counts = histogram(labels)
        warnings = [] if self._questions else self._check_labels(labels, counts)
        roles = tuple((role, *self._roles[role]) for role in _ROLES if role in self._roles)
        return replace(
            self._found,
            roles=roles,
            guesses=tuple(self._guesses),
            questions=tuple(self._questions),
            warnings=tuple(warnings),
            labels=counts,
            written=self._written(),
        )

    def _written(self) -> dict[str, str]:
        """Return how values are written, of the fields that there are."""
        found = dict[str, str]()
        if "labels" in self._roles:
            usual = ";" if self._kind == "table" and self._roles["labels"][0].lower() not in SINGULAR else NONE
            found["separator"] = str(self._setting("separator") or NAMES.get(usual, usual))
        if "time" in self._roles:
            found["time_format"] = str(self._setting("time_format") or "iso")
        return {**found, "html": str(self._setting("html") or "keep")}

    def _setting(self, option: str) -> Any:
        guessed = {guess.option: guess.value for guess in self._guesses}
        return self._given.get(option, guessed.get(option))

    def _name_fields(self) -> None:
        """Guess the names that the format does not find by itself."""
        if "text" not in self._roles:
            taken = {name for name, _ in self._roles.values()}
            texts = [name for name, some in self._columns.items() if name not in taken and kind_of(some) == "texts"]
            listed = ", ".join(list(self._columns)[:20])
            what = f"no field could be the text; the fields are {listed}" if self._columns else "there are no fields"
            self._questions.append(Question(what, tuple({"text": name} for name in texts[:3])))
        for role, (name, why) in self._roles.items():
            if role in self._given or name in self._own(role):
                continue
            self._guesses.append(Guess(role, name, why))
        if "text" in self._roles and "title" not in self._given:
            text = self._roles["text"][0]
            if text.lower() in OWN["table"]["title"] and text in self._own("title"):
                self._guesses.append(Guess("title", NONE, "it is the text"))
        if self._kind != "table" and "id" not in self._roles:
            self._guesses.append(Guess("id", NONE, "there is no field of ids"))

    def _own(self, role: str) -> Sequence[str]:
        """Return the fields that the format finds by itself for a role; of several, the first."""
        lower = self._kind == "table"
        for alias in OWN[self._kind][role]:
            found = [name for name in self._columns if (name.lower() if lower else name) == alias]
            if found:
                return found[:1] if self._kind != "jsonl" else [n for n in OWN["jsonl"][role] if n in self._columns]
        return []

    def _look_at_labels(self) -> None:
        given = self._setting("labels")
        if given == NONE or (isinstance(given, str) and given.startswith(ONE_HOT)):
            return
        if "labels" not in self._roles:
            self._ask_for_labels()
            return
        name = self._roles["labels"][0]
        values = [value for value in self._columns.get(name, []) if value not in ("", [])]
        if not values and any(other.startswith(f"{name}.") for other in self._columns):
            self._guesses.append(Guess("separator", NONE, f"{name!r} is an object with a mark for each label"))
            return
        if _are_marks(values) and self._offer_one_hot(name, values):
            return
        if not values and self._labelled and self._sample.whole:
            cause = f"the labels are to be in {name!r}, and there are none in any of {self._found.records:,} records"
            self._questions.append(Question(cause, self._label_choices()))
            return
        cells = [text for value in values for text in (value if isinstance(value, list) else [value])]
        texts = [cell for cell in cells if isinstance(cell, str)]
        listed = [len(value) for value in values if isinstance(value, list)]
        apart = max(listed, default=0) > 1 and len(texts) == len(cells)  # lists have separated them already
        if apart or "separator" in self._given or (listed and self._found.format == "parquet"):
            return
        single = name.lower() in SINGULAR or bool(listed)
        usual = None if self._kind != "table" or single else ";"
        found = label_separator(name, texts, usual, single=single)
        if isinstance(found, Question):
            self._questions += [] if listed else [found]
        elif found is not None:
            self._guesses.append(found)
        elif self._kind != "table" and 2 * len(texts) < len(cells):
            self._guesses.append(Guess("separator", NONE, f"the labels in {name!r} are numbers or truth values"))

    def _offer_one_hot(self, name: str, values: Sequence[Any]) -> bool:
        """Ask about labels that are 0 and 1; tell whether there is something to ask."""
        if isinstance(values[0], list):
            lengths = {len(value) for value in values if isinstance(value, list)}
            if len(lengths) > 1 or lengths <= {0, 1}:
                return False
            choices: tuple[Mapping[str, str], ...] = ({"labels": f"{ONE_HOT}{name}"}, {"separator": NONE})
            cause = f"the labels in {name!r} are lists of {min(lengths)} times 0 or 1, perhaps a mark for each label"
        else:
            block = _marked_block(self._columns, around=name)
            if len(block) < 2:
                return False
            choices = ({"labels": f"{ONE_HOT}{block[0]}..{block[-1]}"}, {"labels": name, "separator": NONE})
            cause = (
                f"the labels in {name!r} are 0 and 1 alone, as in one of the {len(block)} columns of a one-hot table"
            )
        if "separator" not in self._given:
            self._questions.append(Question(cause, choices))
        return True

    def _ask_for_labels(self) -> None:
        taken = {name for name, _ in self._roles.values()}
        block = _marked_block({name: values for name, values in self._columns.items() if name not in taken})
        if len(block) >= _BLOCK:
            guess = Guess("labels", f"{ONE_HOT}{block[0]}..{block[-1]}", f"these {len(block)} columns hold 0 and 1")
            self._guesses.append(guess)
            self._roles["labels"] = (guess.value, guess.why)
        elif self._labelled:
            listed = ", ".join(name for name in self._columns if name not in taken) or "none"
            cause = f"no field or column was found that could be labels; beside what was found there are: {listed}"
            self._questions.append(Question(cause, self._label_choices()))

    def _label_choices(self) -> tuple[Mapping[str, str], ...]:
        """Return the fields whose values recur, and that there are no labels."""
        taken = {name for name, _ in self._roles.values()}
        likely = [
            field.name
            for field in self._found.fields
            if field.name not in taken
            and field.kind in {"texts", "numbers", "lists of texts", "truth values"}
            and 1 < field.distinct <= _FEW_VALUES * field.filled
        ]
        return (*({"labels": name} for name in likely[:3]), {"labels": NONE})

    def _look_at_times(self) -> None:
        if "time_format" in self._given or "time" not in self._roles or self._setting("time") == NONE:
            return
        name = self._roles["time"][0]
        values = self._columns.get(name, [])
        if self._found.format == "parquet" and not all(isinstance(value, (str, int, float)) for value in values):
            return
        found = date_format(name, values)
        if isinstance(found, Guess):
            self._guesses.append(found)
        elif found is not None:
            self._questions.append(found)

    def _look_at_markup(self) -> None:
        if "html" in self._given or "text" not in self._roles:
            return
        name = self._roles["text"][0]
        texts = [value for value in self._columns.get(name, []) if isinstance(value, str)]
        if guess := html_guess(name, texts):
            self._guesses.append(guess)

    def _documents(self) -> list[Sequence[str] | None]:
        """Return the labels of the documents of the sample; where none can be read, that is a question."""
        settings = {**self._given, **{guess.option: guess.value for guess in self._guesses}}
        fields = story_map(self._roles, settings, tables=self._kind == "table")
        if self._questions or fields is None:
            return []
        parquet = self._found.format == "parquet"
        labels, broken = list["Sequence[str] | None"](), list(self._sample.broken)
        for record in self._sample.records:
            try:
                labels.append(fields.labels_of(record) if parquet else fields.story(record).labels)
            except BROKEN as error:
                broken.append((broken_reason(error), repr(record).encode()))
        if not labels and self._readable:
            self._questions.append(_all_broken(broken))
        return labels

    def _check_labels(self, labels: Sequence[Sequence[str] | None], counts: Sequence[tuple[str, int]]) -> list[str]:
        known = [some for some in labels if some is not None]
        name = self._roles.get("labels", ("",))[0]
        warnings = []
        if self._labelled and labels and not known and self._setting("labels") != NONE:
            warnings.append(
                f"none of the first {len(labels):,} documents has a label; if there are none, say labels=none"
            )
        if (once := seen_once(counts)) is not None:
            texts = any(isinstance(value, str) for value in self._columns.get(name, []))
            if texts and "separator" not in self._given:
                settled = ({"labels": name, "separator": self._setting("separator") or NONE}, *self._label_choices())
                self._questions.append(Question(f"{once}; name another field, or settle it", settled))
            else:
                warnings.append(f"{once}; if that is not meant, name another field with labels=")
        if (always := seen_always(counts, len(known))) is not None:
            warnings.append(f"{always}; if that is not meant, name another field with labels=")
        missing = [label for label, _ in counts if label.lower() in _MISSING]
        if missing:
            warnings.append(f"the label {missing[0]!r} looks like a value that is missing; leave such cells empty")
        if (entity := with_entities(counts)) is not None:
            warnings.append(entity)
        if one_hot_digits(counts) and len(known) > 1:
            only = " and ".join(repr(label) for label, _ in counts)
            warnings.append(
                f"the only labels are {only}; if a column of 0 and 1 stands for each label, name the first and the "
                "last of them: labels=onehot:A..Z; if they are the numbers of classes, name these: classes=A|B"
            )
        return warnings


def story_map(roles: Mapping[str, tuple[str, str]], settings: Mapping[str, Any], *, tables: bool) -> StoryMap | None:
    """Return how records of these roles become stories; None if the settings are wrong: the format itself says so."""
    names = {role: str(settings.get(role, roles[role][0] if role in roles else NONE)) for role in _ROLES}
    labels = names["labels"]
    one = labels.lower() in SINGULAR or labels == NONE or not tables
    separator = str(settings.get("separator", NONE if one else ";"))
    try:
        return StoryMap(
            names["id"],
            names["time"],
            names["text"],
            names["title"],
            labels,
            separator,
            settings.get("time_format"),
            settings.get("html", "keep"),
            classes=str(settings.get("classes", "")),
        )
    except UsageError:
        return None


def _are_marks(values: Sequence[Any]) -> bool:
    flat = [one for value in values for one in (value if isinstance(value, list) else [value])]
    return bool(flat) and all(str(one).strip().lower() in _MARKS for one in flat)


def _marked_block(columns: Columns, around: str | None = None) -> list[str]:
    """Return the longest run of columns that hold 0 and 1; ``around`` one column, if it is named."""
    runs, run = list[list[str]](), list[str]()
    for name, values in columns.items():
        if values and "." not in name and not isinstance(values[0], list) and _are_marks(values):
            run.append(name)
            continue
        runs.append(run)
        run = []
    runs.append(run)
    fitting = [one for one in runs if around is None or around in one]
    return max(fitting, key=len, default=[])


def _all_broken(broken: Sequence[tuple[str, bytes]]) -> Question:
    reasons = [reason for reason, _ in broken]
    reason = max(set(reasons), key=reasons.count)
    raw = next(raw for why, raw in broken if why == reason)
    shown = raw[:80].decode(errors="replace")
    cause = f"not one of the first {len(broken):,} records can be read, as {reason}; the first begins with {shown!r}"
    return Question(cause, ())
