"""Formats of texts as they were before a native reader: each record is cut and decoded by itself."""

from telex.adapters.formats.csv import Delimited
from telex.adapters.formats.lyrl_tokens import _CUT, LyrlTokens
from telex.adapters.formats.reading import StoryFormat, blocks_of, cut_records


class SlowDelimited(Delimited):
    """Rows of cells by regular expressions."""

    __iter__ = StoryFormat.__iter__
    _ends = StoryFormat._ends

    def _layout(self, delimiter, at):
        return None


class SlowTokens(LyrlTokens):
    """Records of tokens by regular expressions."""

    _ends = StoryFormat._ends

    def _stories(self):
        return StoryFormat.__iter__(self)

    def _records(self, inputs):
        for source in inputs:
            yield from blocks_of(cut_records(source.chunks(), source.name, _CUT))
