// The figures of each pass over the stream, and of the test after it.
function passesSection(run, page) {
  const all = () => run.summary.epochs || [];
  const parts = [["learners", "training, as predicted in the pass"], ["test", "test part"]].filter(([part]) => all().some((one) => one[part]));
  const known = Object.keys(page.data.losses).filter((name) => Object.values(all()[0]?.learners || {}).some((figures) => typeof figures[name] === "number"));
  if (!parts.length || !known.length) return null;
  const state = { figure: known.includes(headline(page.data)) ? headline(page.data) : known[0], part: parts[parts.length - 1][0] };
  const where = h("output", {}, "");
  const chart = new Chart({ title: "Passes", hovered: (x) => where.replaceChildren(x === null ? "" : `after pass ${grouped(Math.round(x))}: ${chart.lines.map((line) => `${line.name} ${figure(line.before(x * (1 + 1e-12)))}`).join(", ")}`) });
  function draw() {
    chart.draw({ lines: run.learners.map(({ name }) => {
      const values = all().map((one) => one[state.part]?.[name]?.[state.figure] ?? null);
      return new Line(name, run.looks.get(name), values.map((_, k) => k + 1), values);
    }) });
  }
  const element = section("passes", "Passes", h("div.controls", {},
    pick("Figure", known.map((name) => [name, name]), state.figure, (value) => { state.figure = value; draw(); }),
    parts.length > 1 ? either("Part", parts, state.part, (value) => { state.part = value; draw(); }) : null),
  chart.plot, h("div.where", {}, where, chart.zoom));
  return Object.assign(element, { drawn: draw });
}
