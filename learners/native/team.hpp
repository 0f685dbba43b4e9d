// A few threads that share out small pieces of work, for as long as one call lasts.
#pragma once

namespace telex {

// Calls job(context, part) for each part below `parts`, once a round, on whichever thread is free. The caller takes parts
// too and waits only for those that another thread has begun: a thread that the system holds back delays no other.
struct Team {
  virtual void round() = 0;
  virtual ~Team();
};
Team* make_team(int threads, int parts, void (*job)(void*, int), void* context);
int processors();

}  // namespace telex
