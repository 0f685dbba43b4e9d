"""Apache Kafka: documents and answers come from topics, predictions and dead letters go to others.

Read `brokers` first, how a broker is reached, then `fetch` (records from topics), `consume` (topics as a source),
`produce` (what goes back, at least once or exactly once) and `publish` (an archive into topics). `group_reader` only
predicts, as one of any number of members of a group. `registered_values` decodes what a `schema_registry` has the
schemas of, with `protobuf_messages`. `connecting` waits for a broker, `topic_names` says which topics are read,
`topics` looks at topics and makes them, `failures` turns exceptions into sentences, with what `last_warning` has heard,
and `fake` stands in for a broker in tests.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
