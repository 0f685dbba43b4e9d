"""What can be fuzzed: a name, and ``module:member`` that is called with bytes."""

from __future__ import annotations

from native_targets import SOURCES

PYTHON = {
    "jsonl": "formats:jsonl",
    "plain-jsonl": "formats:plain_jsonl",
    "svmlight": "formats:svmlight",
    "lyrl-vectors": "formats:lyrl_vectors",
    "lyrl-tokens": "formats:lyrl_tokens",
    "newsml": "formats:newsml",
    "newsgroups": "formats:newsgroups",
    "reuters21578": "formats:reuters21578",
    "rss": "formats:rss",
    "csv": "formats:csv",
    "tsv": "formats:tsv",
    "arff": "formats:arff",
    "json": "formats:json",
    "guessed": "formats:guessed",
    "xml": "markup:xml",
    "html": "markup:html",
    "archives": "archives:archives",
    "found": "formats:found",
    "answers": "answers:answers",
    "pipeline": "pipeline:pipeline",
    "compressed": "compressed:expand_",
    "tokeniser": "tokeniser:tokeniser",
    "times": "values:times",
    "boundaries": "values:boundaries",
    "specifications": "values:specifications",
    "newswires": "values:newswires",
    "text-settings": "values:text_settings",
    "states": "states:states",
    "clocks": "clocks:clocks",
    "threads": "threads:threads",
}
NAMES = [*SOURCES, *PYTHON]
