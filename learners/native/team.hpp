// A few threads that meet again after every piece of work, for as long as one call lasts.
#pragma once

namespace telex {

struct Team {
  // Calls job(context, part) for each part below `size`, part 0 on the caller's thread; returns when all are done.
  virtual void run(void (*job)(void*, int), void* context) = 0;
  virtual ~Team();
};
Team* make_team(int size);
int processors();

}  // namespace telex
