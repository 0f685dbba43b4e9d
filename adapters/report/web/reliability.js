// How often labels were true that were held to be so probable.
function reliabilitySection(run, page) {
  const state = page.reliability, learners = () => Object.keys(run.summary.reliability || {});
  if (!learners().length) return null;
  if (!learners().includes(state.learner)) state.learner = learners()[0];
  const rows = () => (run.summary.reliability[state.learner] || []).map((tenth, i) => tenth && { from: i / 10, count: tenth[0], predicted: tenth[1], observed: tenth[2] }).filter(Boolean);
  const table = new Table({
    caption: "Reliability of probabilities", rows: rows(), most: 10,
    columns: [
      { title: "probability", of: (row) => row.from, show: (row) => `${row.from.toFixed(1)} to ${(row.from + 0.1).toFixed(1)}`, text: true },
      { title: "predictions", of: (row) => row.count, show: (row) => grouped(row.count) },
      { title: "mean predicted", of: (row) => row.predicted, show: (row) => figure(row.predicted) },
      { title: "share true", of: (row) => row.observed, show: (row) => figure(row.observed) },
      { title: "difference", of: (row) => row.observed - row.predicted, show: (row) => short(row.observed - row.predicted) },
    ],
  });
  const fill = () => table.update(rows());
  return Object.assign(section("reliability", "Probabilities", h("p.note", {}, "Each document and each label known: how probable the learner held the label, and how often it was true. The two shares are alike where probabilities can be relied on."),
    h("div.controls", {}, learners().length > 1 ? pick("Learner", learners().map((name) => [name, name]), state.learner, (value) => { state.learner = value; fill(); }) : null),
    table.element), { renew: fill });
}
