"""Losses of documents, by name: of rankings, of predicted sets, and AdaBoost.LC's covering errors.

>>> list(LOSSES)
['iserr', 'errsetsize', 'margin', 'avgp', 'oneerr', 'coverage', 'hamming', 'zero_one',
 'cover_zo', 'cover_hm', 'cover_ts', 'cover_wp', 'cover_wn']
"""

from telex.learners.losses.avgp import AvgP
from telex.learners.losses.cover_hm import CoverHM
from telex.learners.losses.cover_ts import CoverTS
from telex.learners.losses.cover_wn import CoverWN
from telex.learners.losses.cover_wp import CoverWP
from telex.learners.losses.cover_zo import CoverZO
from telex.learners.losses.coverage import Coverage
from telex.learners.losses.errsetsize import ErrSetSize
from telex.learners.losses.hamming import Hamming
from telex.learners.losses.iserr import IsErr
from telex.learners.losses.judged import Judged, judge
from telex.learners.losses.margin import Margin
from telex.learners.losses.oneerr import OneErr
from telex.learners.losses.protocol import Loss
from telex.learners.losses.zero_one import ZeroOne

__all__ = ["LOSSES", "Judged", "Loss", "judge"]

LOSSES: dict[str, Loss] = {
    loss.name: loss
    for loss in (
        IsErr(),
        ErrSetSize(),
        Margin(),
        AvgP(),
        OneErr(),
        Coverage(),
        Hamming(),
        ZeroOne(),
        CoverZO(),
        CoverHM(),
        CoverTS(),
        CoverWP(),
        CoverWN(),
    )
}
