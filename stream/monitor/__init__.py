"""Monitors of a run's losses: drift detectors, and the choice of the champion.

Read `monitors` first, which calls the others after each step. `drift` and `drift_watch` run the detectors of river
that `drift_settings` lists; `champion` chooses the learner whose predictions count, by the settings in
`champion_settings`; `not_finite` counts scores and losses that are no numbers.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
