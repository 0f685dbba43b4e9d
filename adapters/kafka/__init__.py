"""Apache Kafka: documents and answers come from topics, predictions and dead letters go to topics.

``connection`` says how to reach a broker; ``fetching`` fetches records in a process of its own; ``merging`` brings the
records of all partitions into one order; ``wire`` is the resulting archive; ``producing`` publishes an archive to
topics; ``fake`` replaces a broker in tests.
"""
