"""A broker for the tests of what reads from one."""

import warnings

with warnings.catch_warnings():
    # Python 3.11 calls functions deprecated that kafka-python needs, and 3.13 no longer does.
    warnings.filterwarnings("ignore", "(read|open)_text is deprecated", DeprecationWarning)
    import kafka
    import kafka.admin
    import kafka.consumer
    import kafka.producer

from broker.fixtures import broker, own_broker

__all__ = ["broker", "kafka", "own_broker"]
