// The decisive terms of boosted learners, label by label.
function wordsSection(run, page) {
  const learners = Object.keys(run.words || {});
  if (!learners.length) return null;
  const state = page.words;
  if (!learners.includes(state.learner)) state.learner = learners[0];
  const own = () => run.words[state.learner];
  const table = new Table({
    caption: "Decisive terms", rows: own().labels, most: 20,
    columns: [
      { title: "label", of: (row) => row.label, show: (row) => row.label, text: true },
      { title: "bias", of: (row) => row.bias, show: (row) => short(row.bias) },
      { title: "largest weights", of: (row) => row.weights.map(([term]) => term).join(" "), show: weights, text: true, wide: true },
      { title: "first pivots", of: (row) => row.pivots.join(" "), show: (row) => row.pivots.map((term) => term ?? "–").join(", "), text: true, wide: true },
    ],
  });
  const note = h("p.note", {});
  const fill = () => {
    table.update(own().labels);
    const { rounds, known, labels } = own();
    note.replaceChildren(`${rounds === null ? "" : `${many(rounds, "round")}. `}A weight is what a term adds to a label's score by being present; pivots are the terms of a label's first rounds.${known > labels.length ? ` The first ${grouped(labels.length)} of ${grouped(known)} labels.` : ""}`);
  };
  fill();
  return section("words", "Decisive terms", h("div.controls", {},
    learners.length > 1 ? pick("Learner", learners.map((name) => [name, name]), state.learner, (value) => { state.learner = value; fill(); }) : null,
    h("label.field", {}, h("span", {}, "Search"), h("input", { type: "search", placeholder: "a label or a term", oninput: (event) => table.search(event.target.value) }))), table.element, note);
}

function weights(row) {
  return h("div.tags", {}, row.weights.map(([term, weight]) => h(weight > 0 ? "span.tag.hit" : "span.tag.against", {}, `${term} ${short(weight)}`)));
}

function short(x) {
  return `${x > 0 ? "+" : x < 0 ? "−" : ""}${Math.abs(x).toFixed(2)}`;
}
