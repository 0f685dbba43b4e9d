"""Apache Kafka: documents and answers come from topics, predictions and dead letters go to others.

``connection`` says how a broker is reached, ``fetching`` has what a process of its own fetched, ``merging`` brings the
records of all partitions into one order, ``wire`` is the archive that they are, ``producing`` puts an archive into
topics, ``fake`` is a broker's stand-in for tests.
"""
