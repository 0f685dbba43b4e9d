"""Sends results to Kafka: predictions, dead letters, and the offsets of what the run has read.

Read `results_sink` first, then `messages`, the form of what is sent, and `message_headers`, which say whose it is.
`prediction_messages` writes those of a step natively, as `encoded_messages`, which wait in `message_blocks` and which
`batch_sender` gives to the producer. `at_least_once` and `exactly_once` are the two ways to deliver, the latter by
`transactions`, in its `own_thread`, and `committed_places`, which says what is there. `group_transactions` is that of a
reader among many, and `producer_options` makes the client of all.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
