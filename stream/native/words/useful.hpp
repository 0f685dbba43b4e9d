// Finds the least useful feature by a heap whose entries may be out of date. Usefulness only grows, so the true place of an
// entry is never nearer to the top than its place in the heap: it is enough to check the top again.
#pragma once
#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

namespace telex::words {

class Useful {
 public:
  std::vector<double> useful;  // by id
  std::vector<int64_t> last;   // by id: the newest document that had it

  void enter(int32_t id, double worth, int64_t document) {
    if (size_t(id) == useful.size()) {
      useful.push_back(0);
      last.push_back(0);
    }
    useful[size_t(id)] = worth;
    last[size_t(id)] = document;
    aside_.push_back(id);
  }
  void seen(int32_t id, double worth, int64_t document) {
    useful[size_t(id)] += worth;
    last[size_t(id)] = document;
  }
  // Removes and returns the least useful id that is not `held`, or -1 if there is none.
  template <class Held>
  int32_t take(const Held& held) {
    while (!heap_.empty()) {
      std::pop_heap(heap_.begin(), heap_.end(), Above{});
      Entry entry = heap_.back();
      if (held(entry.id)) {
        aside_.push_back(entry.id);
        heap_.pop_back();
      } else if (Entry now = of(entry.id); now != entry) {
        heap_.back() = now;
        std::push_heap(heap_.begin(), heap_.end(), Above{});
      } else {
        heap_.pop_back();
        return entry.id;
      }
    }
    return -1;
  }
  // Ends a document: ids that were new or held can be taken again.
  void settle() {
    for (int32_t id : aside_) {
      heap_.push_back(of(id));
      std::push_heap(heap_.begin(), heap_.end(), Above{});
    }
    aside_.clear();
  }
  template <class Scale>
  void scale(const Scale& scale) {
    for (double& worth : useful) worth = scale(worth);
    rebuild();
  }
  // Rebuilds the heap from the figures by id.
  void rebuild() {
    heap_.clear();
    aside_.clear();
    for (size_t id = 0; id < useful.size(); ++id) heap_.push_back(of(int32_t(id)));
    std::make_heap(heap_.begin(), heap_.end(), Above{});
  }
  size_t bytes() const { return heap_.capacity() * sizeof(Entry) + 16 * useful.capacity(); }

 private:
  struct Entry {
    double useful;
    int64_t last;
    int32_t id;
    bool operator!=(const Entry& other) const { return useful != other.useful || last != other.last; }
  };
  struct Above {
    bool operator()(const Entry& a, const Entry& b) const {
      return std::tie(a.useful, a.last, a.id) > std::tie(b.useful, b.last, b.id);
    }
  };
  Entry of(int32_t id) const { return {useful[size_t(id)], last[size_t(id)], id}; }
  std::vector<Entry> heap_;
  std::vector<int32_t> aside_;
};

}  // namespace telex::words
