// The results of each label, learner by learner.
function labelsSection(run, page) {
  const learners = Object.keys(run.labels || {});
  if (!learners.length) return null;
  const state = page.labels;
  if (!learners.includes(state.learner)) state.learner = bestOf(run, learners);

  function rows() {
    const { label, tp, fp, fn, support, first_seen: first } = run.labels[state.learner];
    return label.map((name, i) => ({
      label: name, support: support[i], first: first[i] || null, ...rates(tp[i], fp[i], fn[i]),
      history: historyOf(run, state.learner, name),
    }));
  }

  const column = (title, key, show = figure) => ({ title, of: (row) => row[key], show: (row) => show(row[key]) });
  const columns = [
    { title: "label", of: (row) => row.label, show: (row) => row.label, text: true },
    column("support", "support", grouped), column("precision", "precision"), column("recall", "recall"), column("F1", "f1"),
    { title: "", of: (row) => row.f1, show: (row) => bar(row.f1, run.looks.get(state.learner)) },
    column("first seen", "first", grouped),
  ];
  if (run.histories && Object.keys(run.histories).length) {
    columns.splice(6, 0, { title: "F1 over time", of: (row) => row.history ? row.history[row.history.length - 1][1] : null, show: (row) => spark(row.history, run.looks.get(state.learner)) });
  }
  const table = new Table({ caption: "Results of each label", columns, rows: rows(), sort: 1, most: 25 });
  const controls = h("div.controls", {},
    pick("Learner", learners.map((name) => [name, name]), state.learner, (value) => { state.learner = value; table.update(rows()); }),
    h("label.field", {}, h("span", {}, "Search"), h("input", { type: "search", placeholder: "a label", oninput: (event) => table.search(event.target.value) })));
  return Object.assign(section("labels", "Labels", controls, table.element,
    h("p.note", {}, run.histories && Object.keys(run.histories).length ? "The small curves show the F1 of successive stretches from 0 to 1; each stretch is a third as long as everything before it. " : "",
      "Support counts the documents that have the label; first seen is the first of them. All figures are over the whole stream; each document was predicted before it was learnt.")),
  { renew: () => table.update(rows()) });
}

function bestOf(run, learners) {
  const [best] = standing(run, "micro_f1").filter(([name, x]) => learners.includes(name) && x !== null).sort((one, other) => other[1] - one[1]);
  return best ? best[0] : learners[0];
}

function rates(tp, fp, fn) {
  const share = (some, all) => (all ? some / all : null);
  return { precision: share(tp, tp + fp), recall: share(tp, tp + fn), f1: share(2 * tp, 2 * tp + fp + fn) };
}

function bar(share, look) {
  return h("span.track", { "aria-hidden": "true" }, h("span.bar", { style: { width: `${100 * (share || 0)}%`, background: `var(${look.colour})` } }));
}

function historyOf(run, learner, label) { // a label may have the name of what every object has, as __proto__
  const own = run.histories?.[learner];
  return own && Object.hasOwn(own, label) ? own[label] : null;
}

// F1 of successive stretches of documents, on a logarithmic axis.
function spark(history, look) {
  if (!history || history.length < 2) return "";
  const drawing = svg("svg", { viewBox: "0 0 96 20", class: "spark", "aria-hidden": "true" });
  const from = Math.log(history[0][0]), wide = Math.log(history[history.length - 1][0]) - from;
  const line = svg("polyline", { points: history.map(([documents, f1]) => `${(1 + (94 * (Math.log(documents) - from)) / wide).toFixed(1)},${(18.5 - 17 * f1).toFixed(1)}`).join(" ") });
  line.style.stroke = `var(${look.colour})`;
  drawing.append(svg("line", { x1: 0, x2: 96, y1: 18.5, y2: 18.5 }), line);
  return drawing;
}
