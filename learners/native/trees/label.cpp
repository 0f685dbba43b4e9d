// Predictions of H-M3: the best labelling of each document, and what each label is worth.
#include "../table.hpp"
#include "edges.hpp"
#include "similar.hpp"

namespace telex::TELEX_LEVEL {

namespace {

struct Labelling {
  const Nodes& nodes;
  Edges edges;
  Array<double> values, score;

  explicit Labelling(const Nodes& nodes) : nodes(nodes), edges(nodes) {
    values.resize(3 * nodes.count);
    score.resize(nodes.count);
  }
  void add(double x, const float* row) {
    for (int64_t q = 0; q < values.size; ++q) values[q] += x * double(row[q]);
  }
  void weigh(const Document& doc, int64_t features, const float* weights) {
    clear(values.data, values.size);
    for (int64_t k = 0; k < doc.size && doc.features[k] < features; ++k)
      add(double(doc.values[k]), weights + int64_t(doc.features[k]) * values.size);
  }
  // A node's score is by how much the best labelling with it is better than the best without. A node may be missing because its
  // parent is.
  void write(float* scores, uint8_t* relevant) {
    edges.up(values.data);
    edges.choose(values.data, relevant);
    for (int32_t j = 0; j < nodes.count; ++j) {
      double own = edges.advantage(values.data, j), gained = own > 0 ? own : 0;
      int32_t parent = nodes.parents[j];
      if (parent >= 0) {
        double without = score[parent] > gained ? score[parent] - gained : 0;  // the parent alone, or neither
        own = score[parent] - gained + own - without;
      }
      score[j] = own;
      scores[j] = float(own);
    }
  }
};

}  // namespace

void label(const Window& window, const Nodes& nodes, const float* weights, float* scores, uint8_t* relevant, Watch* watch) {
  Labelling one(nodes);
  for (int64_t row = 0; row < window.documents; ++row) {
    Document doc = document(window, row);
    if (used_up(watch, (doc.size + 1) * one.values.size) && watch->ended(true)) return;
    one.weigh(doc, window.features, weights);
    one.write(scores + row * nodes.count, relevant + row * nodes.count);
  }
}

void label_kernel(const Window& window, const Others& others, const Similarity& kernel, const Nodes& nodes, const float* differences,
                  float* scores, uint8_t* relevant, Watch* watch) {
  Labelling one(nodes);
  Similar similar(others, kernel);
  Array<float> values;
  values.resize(similar.room());
  for (int64_t row = 0; row < window.documents; ++row) {
    if (used_up(watch, (others.documents + 1) * one.values.size) && watch->ended(true)) return;
    similar.of(document(window, row), values.data);
    clear(one.values.data, one.values.size);
    for (int64_t i = 0; i < others.documents; ++i) one.add(double(values[i]), differences + i * one.values.size);
    one.write(scores + row * nodes.count, relevant + row * nodes.count);
  }
}

// The sum of a column of contributions is the score of its node: that of the best labelling with it, less that of the best without.
void reasons(const Window& window, const Nodes& nodes, const float* weights, double* contributions, Watch* watch) {
  Labelling one(nodes);
  Document doc = document(window, 0);
  Array<uint8_t> with, without;
  with.resize(nodes.count);
  without.resize(nodes.count);
  Array<double> all;
  all.resize(one.values.size);
  constexpr double never = -1e300;
  for (int32_t j = 0; j < nodes.count; ++j) {
    if (used_up(watch, (doc.size + 2) * one.values.size) && watch->ended(true)) return;
    if (!j) {
      one.weigh(doc, window.features, weights);
      copy(all.data, one.values.data, all.size);
    }
    one.values[one.edges.column(off, j)] = one.values[one.edges.column(absent, j)] = never;
    one.edges.up(one.values.data);
    one.edges.choose(one.values.data, with.data);
    copy(one.values.data, all.data, all.size);
    one.values[one.edges.column(on, j)] = never;
    one.edges.up(one.values.data);
    one.edges.choose(one.values.data, without.data);
    copy(one.values.data, all.data, all.size);
    for (int32_t i = 0; i < nodes.count; ++i) {
      int32_t has = one.edges.at(with.data, i), had = one.edges.at(without.data, i);
      if (has == had) continue;
      for (int64_t k = 0; k < doc.size && doc.features[k] < window.features; ++k) {
        const float* w = weights + int64_t(doc.features[k]) * one.values.size;
        contributions[k * nodes.count + j] +=
            double(doc.values[k]) * (double(w[one.edges.column(has, i)]) - double(w[one.edges.column(had, i)]));
      }
    }
  }
}

}  // namespace telex::TELEX_LEVEL
