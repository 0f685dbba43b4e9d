// A cross-validation: each part, fold and round, the confusion matrix, and the wrongly labelled documents.
function crossvalSections(run, page) {
  const own = run.crossval;
  if (!own) return [];
  return [partsSection(run, own, page), roundsSection(run, own, page), chosenSection(run, own), confusionSection(own), wrongSection(own)].filter(Boolean);
}

function partsSection(run, own, page) {
  const state = { part: "test" };
  const rows = () => Object.entries(own.learners).flatMap(([name, figures]) => (figures.folds || []).map((fold, i) => ({ name, fold: own.names[i] || String(i + 1), ...fold[state.part] })));
  if (!rows().length) return null;
  const table = new Table({
    caption: "Figures of each learner and fold", rows: rows(), most: 40,
    columns: [
      { title: "learner", of: (row) => row.name, show: (row) => named(row.name, run.looks.get(row.name)), text: true },
      { title: "fold", of: (row) => row.fold, show: (row) => row.fold, text: true },
      ...page.data.columns.folds.filter((name) => rows().some((row) => name in row)).map((name) => ({ title: name, of: (row) => row[name] ?? null, show: (row) => figure(row[name]) })),
    ],
  });
  return section("folds", "Folds", h("div.controls", {},
    either("Part", PARTS, state.part, (value) => { state.part = value; table.update(rows()); })), table.element);
}

const PARTS = [["test", "out of fold"], ["train", "within fold"]];

function roundsSection(run, own, page) {
  const { columns, rows } = own.rounds;
  const at = columns.indexOf("rounds");
  const known = [...new Set(rows.map((row) => row[at]).filter((x) => x !== null))].sort((one, other) => one - other);
  if (!known.length) return null;
  const figures = columns.slice(3);
  const state = { figure: [page.data.shown.headline, "micro_f1"].find((name) => figures.includes(name)) || figures[0], part: "test" };
  const where = h("output", {}, "");
  const chart = new Chart({ title: "Rounds", hovered: (x) => where.replaceChildren(x === null ? "" : `after ${many(Math.round(x), "round")}: ${chart.lines.map((line) => `${line.name} ${figure(line.before(x * (1 + 1e-12)))}`).join(", ")}`) });
  function draw() {
    const column = columns.indexOf(state.figure);
    const lines = run.learners.map(({ name }) => {
      const some = rows.filter((row) => row[0] === name && row[1] === state.part).sort((one, other) => one[at] - other[at]);
      // A learner without rounds is a flat line.
      const level = some.length === 1 && some[0][at] === null;
      return new Line(name, run.looks.get(name), level ? [known[0], known[known.length - 1]] : some.map((row) => row[at]), level ? [some[0][column], some[0][column]] : some.map((row) => row[column]));
    });
    chart.draw({ lines });
  }
  const element = section("rounds", "Rounds", h("div.controls", {},
    pick("Figure", figures.map((name) => [name, name]), state.figure, (value) => { state.figure = value; draw(); }),
    either("Part", PARTS, state.part, (value) => { state.part = value; draw(); })),
  chart.plot, h("div.where", {}, where, chart.zoom));
  return Object.assign(element, { drawn: draw });
}

const MATRIX = 24;

function confusionSection(own) {
  const learners = Object.keys(own.confusion);
  if (!learners.length) return null;
  const holder = h("div.scroll", { tabindex: 0, role: "region", "aria-label": "Confusion matrix" }), note = h("p.note", {});
  const state = { learner: learners[0], as: "percent" };
  function draw() {
    const { learner } = state;
    const cells = own.confusion[learner];
    const totals = new Map();
    for (const [truth, predicted, count] of cells) for (const label of new Set([truth, predicted])) totals.set(label, (totals.get(label) || 0) + count);
    const labels = [...totals].sort((one, other) => other[1] - one[1]).slice(0, MATRIX).map(([label]) => label).sort((one, other) => one.localeCompare(other, "en", { numeric: true }));
    const at = new Map(cells.map(([truth, predicted, count]) => [JSON.stringify([truth, predicted]), count]));
    const rows = new Map();
    for (const [truth, , count] of cells) rows.set(truth, (rows.get(truth) || 0) + count);
    holder.replaceChildren(h("table.matrix", {}, h("thead", {}, h("tr", {}, h("th", {}), labels.map((label) => h("th", { scope: "col" }, label || "none")))),
      h("tbody", {}, labels.map((truth) => h("tr", {}, h("th", { scope: "row" }, truth || "none"), labels.map((predicted) => {
        const count = at.get(JSON.stringify([truth, predicted])) || 0;
        return h("td", { title: `${truth || "none"} predicted as ${predicted || "none"}: ${grouped(count)} of ${grouped(rows.get(truth) || 0)}`, style: count ? { background: `rgba(var(--heat), ${(0.06 + 0.34 * (count / rows.get(truth))).toFixed(3)})` } : {} }, !count ? "" : state.as === "percent" ? (100 * count / rows.get(truth)).toFixed(1) : grouped(count));
      }))))));
    note.replaceChildren(`Documents with one true label: rows are the true label, columns the label ranked first, percent are of the row${totals.size > MATRIX ? `; the ${MATRIX} most frequent of ${totals.size} labels` : ""}.`);
  }
  draw();
  return section("confusion", "Confusion", h("div.controls", {},
    pick("Learner", learners.map((name) => [name, name]), learners[0], (value) => { state.learner = value; draw(); }),
    either("Show", [["percent", "percent"], ["count", "documents"]], state.as, (value) => { state.as = value; draw(); })), holder, note);
}

function wrongSection(own) {
  const learners = Object.keys(own.wrong);
  if (!learners.length) return null;
  const list = h("ul.docs", {}), note = h("p.note", {}), state = { learner: learners[0], needle: "", most: 10 };
  function fill() {
    const { count, first } = own.wrong[state.learner];
    const found = first.filter((one) => JSON.stringify(one).toLowerCase().includes(state.needle));
    list.replaceChildren(...found.slice(0, state.most).map((one) => documentItem({ ...one, true: one.labels })));
    const within = own.errors === "within";
    const more = found.length - state.most;
    note.replaceChildren(`${within ? `${many(count, "mistake")} on documents that the learner had learnt` : `${many(count, "document")} labelled wrongly`}${count > first.length ? `; the first ${grouped(first.length)} are on this page` : ""}. `,
      more > 0 ? h("button.link", { type: "button", onclick: () => { state.most += 20; fill(); } }, `Show ${Math.min(20, more)} more`) : "");
  }
  fill();
  return section("wrong", "Wrongly labelled", h("div.controls", {},
    pick("Learner", learners.map((name) => [name, name]), state.learner, (value) => { state.learner = value; state.most = 10; fill(); }),
    h("label.field", {}, h("span", {}, "Search"), h("input", { type: "search", placeholder: "text or label", oninput: (event) => { state.needle = event.target.value.toLowerCase(); fill(); } }))), list, note);
}
