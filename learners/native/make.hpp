// One maker a learner, and the judge: a level's functions by their names.
#pragma once
#include "interface.hpp"

namespace telex::TELEX_LEVEL {

Learner* make_br(const Options&);
Learner* make_mmp(const Options&);
Learner* make_mlpp(const Options&);
Learner* make_nb(const Options&);
Learner* make_prior(const Options&);
Learner* make_last(const Options&);
void judge(const Asked&, const Documents&, Judgement&);
float log_of(float);

}  // namespace telex::TELEX_LEVEL
