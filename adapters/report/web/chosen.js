// The words that boosted learners chose, fold by fold, and how far the folds agree on them.
const AGREED = [["shared", "in common so far"], ["same", "the same in a round"]];

function chosenSection(run, own) {
  const learners = Object.keys(own.words || {});
  if (!learners.length) return null;
  const state = { figure: "shared", learner: learners[0], label: "" };
  const agreed = learners.filter((name) => own.words[name].agreement.length);
  const where = h("output", {}, "");
  const chart = new Chart({ title: "Agreement of folds", low: true, hovered: (x) => where.replaceChildren(x === null ? "" : `after ${many(Math.round(x), "round")}: ${chart.lines.map((line) => `${line.name} ${figure(line.before(x * (1 + 1e-12)))}`).join(", ")}`) });
  function draw() {
    chart.draw({ lines: agreed.map((name) => new Line(name, run.looks.get(name), own.words[name].agreement.map((one) => one.rounds), own.words[name].agreement.map((one) => one[state.figure]))), log: true });
  }
  const holder = h("div", {}), labels = h("span", {}), note = h("p.note", {});
  function fill() {
    const { first } = own.words[state.learner];
    const folds = own.names.filter((fold) => fold in (first[state.label] || {}));
    const words = folds.map((fold) => first[state.label][fold]);
    const rows = (words[0] || []).map((_, i) => ({ round: i + 1, words: words.map((chosen) => chosen[i]) }));
    const cell = (row, i) => h(row.words.length > 1 && row.words.every((word) => word === row.words[0]) ? "span.tag.hit" : "span", {}, row.words[i] || "–");
    holder.replaceChildren(new Table({
      caption: "Words by round and fold", rows, most: 20,
      columns: [
        { title: "round", of: (row) => row.round, show: (row) => grouped(row.round) },
        ...folds.map((fold, i) => ({ title: `fold ${fold}`, of: (row) => row.words[i], show: (row) => cell(row, i), text: true })),
      ],
    }).element);
    const last = own.words[state.learner].agreement.at(-1);
    note.replaceChildren(`${last ? `After ${many(last.rounds, "round")} ${grouped(last.in_every_fold)} of ${many(last.in_any_fold, "chosen word")} were chosen in every fold. ` : ""}Green: every fold chose this word in this round. All rounds, with their weights, are in words.csv.`);
  }
  function choose(learner) {
    const known = Object.keys(own.words[learner].first).sort((one, other) => one.localeCompare(other, "en", { numeric: true }));
    Object.assign(state, { learner, label: known[0] ?? "" });
    labels.replaceChildren(...(own.words[learner].by_label ? [pick("Label", known.map((label) => [label, label]), state.label, (value) => { state.label = value; fill(); })] : []));
    fill();
  }
  choose(state.learner);
  const element = section("chosen", "Chosen words",
    ...(agreed.length ? [h("div.controls", {}, either("Words of two folds", AGREED, state.figure, (value) => { state.figure = value; draw(); })), chart.plot, h("div.where", {}, where, chart.zoom)] : []),
    h("div.controls", {}, learners.length > 1 ? pick("Learner", learners.map((name) => [name, name]), state.learner, choose) : null, labels), holder, note);
  return agreed.length ? Object.assign(element, { drawn: draw }) : element;
}
