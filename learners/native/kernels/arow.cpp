// Adaptive regularisation of weights with a diagonal covariance (Crammer, Kulesza and Dredze 2009), one classifier a label.
#include "../arow.hpp"

TELEX_KERNEL(arow, Linear<Arow>)
