"""The transformer that makes features of texts, in a stream or in a river pipeline."""

from __future__ import annotations

from collections.abc import Mapping
from threading import Lock
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from river.base import Transformer
from river.base.tags import TEXT_INPUT

from telex.learners.base import InputError, Names, Strings, UsageError
from telex.stream._words import Core, Terms, Tokens
from telex.stream.words.core_arguments import plan
from telex.stream.words.stemmers import stemmer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from telex.learners.base import Ids, Keys, Offsets, Values

__all__ = ["Tokens", "WordRows", "Words"]

_BEGINNING, _NAMING = Lock(), Lock()  # _BEGINNING is taken inside of _NAMING, never the other way round


class WordRows(NamedTuple):
    """Documents as compressed rows; features ascend within a row.

    ``counts`` says how often a term is in its document; an occurrence in the title counts ``title`` times.
    From row ``forget_rows[i]`` on the id ``forget_features[i]`` stands for another term: learners must clear what they
    have learnt of it before they see that row.
    """

    indptr: Offsets
    features: Ids
    values: Values
    forget_rows: Ids
    forget_features: Ids
    counts: Values


class Words(Transformer):
    """Makes features of texts: cuts tokens, drops stop words, stems, counts documents and weighs terms.

    docs/definitions.md, "Words", describes the parameters. ``size=None`` means 100,000 terms for
    ``vocabulary="bounded"`` and 2**18 buckets for ``"hashed"``. ``fit`` and ``products`` have no effect here; a stream
    acts on them.

    In a stream, call :meth:`tokenise`, then :meth:`features` on the tokens in order; each document is counted, then
    weighed. Rows are the same to the bit however the stream is cut. Calls of one ``Words`` wait for each other, but one
    thread may cut tokens while another makes features of earlier ones.

    In river, ``learn_one`` counts a document, and ``transform_one`` weighs one by the current counts. So a document
    that was learnt before has the same features as in a stream. A document whose labels are yet to be predicted is not
    counted, and its new words are left out. ``x`` is a text, a dict with ``"text"`` and perhaps ``"title"``, or, with
    ``on``, a dict with a text under that key.

    When a bounded vocabulary forgets a term, a stream makes its learners forget it too. A river pipeline has no way to
    do so: its learner keeps what it knew of a term that has left.

    >>> words = Words()
    >>> words.learn_one("Wheat prices rise in Tokyo")
    >>> words.learn_one("Rising prices of shares")
    >>> {term: round(x, 3) for term, x in words.transform_one("shares rise").items()}
    {'rise': 0.346, 'share': 0.938}
    """

    remembered: ClassVar[int] = 120_000
    """About how many tokens are cached with their stems, in a table of 8 MB; others are stemmed again."""

    _core: Core | None = None
    _cut_before: tuple[Strings, Core, Terms] | None = None
    _names: Names
    _stem: Callable[[list[str]], list[str]] | None

    def __init__(  # noqa: PLR0917
        self,
        tokens: Literal["letters", "alnum", "blanks"] = "letters",
        stop: str = "smart",
        stem: str = "porter",
        vocabulary: Literal["growing", "bounded", "hashed"] = "growing",
        size: int | None = None,
        weight: str = "ltc",
        idf: str = "all",
        halflife: float = 100_000,
        window: int = 100_000,
        title: float = 1.0,
        slope: float = 0.3,
        fit: str | None = None,
        terms: int | None = None,
        products: bool = False,
        on: str | None = None,
    ) -> None:
        self.tokens = tokens
        self.stop = stop
        self.stem = stem
        self.vocabulary = vocabulary
        self.size = size
        self.weight = weight
        self.idf = idf
        self.halflife = halflife
        self.window = window
        self.title = title
        self.slope = slope
        self.fit = fit
        self.terms = terms
        self.products = products
        self.on = on

    @property
    def settings(self) -> dict[str, Any]:
        """The parameters by name."""
        return dict(self._get_params())

    # -- the calls of the stream

    def begin(self) -> None:
        """Create the state, which otherwise the first text does; wrong settings are a UsageError here."""
        self._ensure_core()

    @property
    def feature_names(self) -> Names:
        """The terms by id: always the same table, which grows, and in which names change when terms are replaced."""
        self._ensure_core()
        return self._names

    @property
    def settled(self) -> bool:
        """Whether the vocabulary is fixed and documents are no longer counted."""
        return self._ensure_core().settled

    @property
    def memory_bytes(self) -> int:
        """The approximate memory of the native state, without the names."""
        return self._ensure_core().bytes

    def tokenise(self, titles: Sequence[str], texts: Sequence[str]) -> Tokens:
        """Cut documents into tokens, which only this object understands; count nothing.

        Of :class:`~telex.learners.base.Strings` no str is made.

        ``Tokens.fingerprints`` has a 64-bit hash for each document, over all its tokens in order, with stop words and
        the end of the title; 0 is a document without tokens.
        """
        core = self._ensure_core()
        if isinstance(titles, Strings) and isinstance(texts, Strings):
            return core.tokenise_utf8(titles.data, titles.offsets, texts.data, texts.offsets, self._stem)
        return core.tokenise(list(titles), list(texts), self._stem)

    def cut_before(self, names: Strings, terms: Ids, bounds: Offsets, fingerprints: Keys) -> Tokens:
        """Return the tokens of documents that words of the same ``tokens``, ``stop`` and ``stem`` have cut before.

        The title of document i has the ``terms`` ``bounds[2i]`` to ``bounds[2i+1]``, its text those from there to
        ``bounds[2i+2]``. They are numbers in ``names``, -1 for none. Another object of names is another table, even
        with the same names.
        """
        core, known = self._ensure_core(), self._cut_before
        if known is None or known[0] is not names or known[1] is not core:
            known = self._cut_before = names, core, core.terms(names.data, names.offsets)
        return core.cut_before(known[2], terms, bounds, fingerprints)

    def features(self, tokens: Tokens, start: int, stop: int, counting: bool) -> WordRows:
        """Return the documents ``start`` to ``stop``; with ``counting``, count each before its row is made."""
        rows = WordRows(*self._ensure_core().features(tokens, start, stop, counting))
        self._update_names()
        return rows

    def fit_on(self, tokens: Tokens, start: int, stop: int) -> None:
        """Count documents towards the fit, which :meth:`settle` ends."""
        core = self._ensure_core()
        if core.settled or len(self._names) or self.vocabulary == "bounded":
            raise UsageError(
                "a vocabulary is fitted once, before any feature, and not if it is bounded; begin with new Words"
            )
        core.count(tokens, start, stop)

    def settle(self) -> None:
        """End the fit: keep the ``terms`` terms that most documents had, all if None; count nothing from here on."""
        core = self._ensure_core()
        if self.terms is not None and len(self._names):
            raise UsageError("terms must be chosen before any features are made; begin with new Words")
        core.settle(self.terms or 0)
        self._update_names()

    def save(self) -> dict[str, Any]:
        """Return the state as plain arrays, with what was read from files, but without the settings."""
        return self._ensure_core().save()

    def load(self, state: Mapping[str, Any]) -> None:
        """Restore what :meth:`save` returned; the settings must be the same, and tokens cut before become useless."""
        core = Core(**plan(self, files=False), remembered=self.remembered)
        try:
            core.load(dict(state))
            names = core.news()[0]
        except (ValueError, KeyError, TypeError, RuntimeError) as error:
            raise UsageError(
                f"this state does not fit these settings of Words: {error}; load it with its own settings"
            ) from error
        self._core, self._names, self._stem = core, Names(names), stemmer(self.stem)

    # -- the calls of river

    def learn_one(self, x: str | Mapping[Any, Any]) -> None:
        """Count a document, and add its new terms."""
        tokens = self._cut(x)
        with _NAMING:
            self._ensure_core().count(tokens, 0, 1)
            self._take_names()

    def transform_one(self, x: str | Mapping[Any, Any]) -> dict[Any, float]:
        """Return {term: weight} for the known terms of a document; count nothing."""
        tokens = self._cut(x)
        with _NAMING:  # another thread may give an id to another term
            rows = self._ensure_core().features(tokens, 0, 1, False)
            self._take_names()
            return {str(self._names[i]): value for i, value in zip(rows[1].tolist(), rows[2].tolist(), strict=True)}

    def _more_tags(self) -> set[str]:
        return {TEXT_INPUT} if self.on is None else set()

    # -- private

    def _cut(self, x: str | Mapping[Any, Any]) -> Tokens:
        key = "text" if self.on is None else self.on
        fields = x if isinstance(x, Mapping) else {key: x}
        title, text = fields.get("title", "") if self.on is None else "", fields.get(key)
        if not isinstance(text, str) or not isinstance(title, str):
            shown = f"{type(x).__name__} {str(x)[:80]!r}"
            raise InputError(f"there is no text in the {shown}; give a text, or a dict with it under {key!r}")
        return self.tokenise([title], [text])

    def _ensure_core(self) -> Core:
        if self._core is None:
            with _BEGINNING:
                if self._core is None:
                    self._names, self._stem = Names(), stemmer(self.stem)
                    self._core = Core(**plan(self), remembered=self.remembered)
        return self._core

    def _update_names(self) -> None:
        """Take over the names of terms that are new or replace others."""
        with _NAMING:
            self._take_names()

    def _take_names(self) -> None:
        # The core hands out each name once, in order: two threads must not mix theirs up.
        new, replaced = self._ensure_core().news()
        self._names.extend(new)
        for i, name in replaced:
            self._names.replace(i, name)

    def __getstate__(self) -> dict[str, Any]:
        params = self._get_params()
        return params if self._core is None else {**params, "_saved": (self._names, self.save())}

    def __setstate__(self, state: dict[str, Any]) -> None:
        saved = state.get("_saved")
        self.__dict__.update({name: value for name, value in state.items() if name != "_saved"})
        if saved is not None:
            names, arrays = saved
            self.load(arrays)
            self._names = names
