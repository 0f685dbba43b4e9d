// The speed of the run.
function speedSection(run) {
  if (!run.speed) return null;
  const where = h("output", {}, "");
  const line = new Line("documents a second", { colour: "--c0", dash: null, width: 2 }, run.speed.seconds, run.speed.pace);
  const chart = new Chart({
    title: "Documents a second", low: true,
    hovered: (x) => where.replaceChildren(x === null ? `${grouped(run.summary.docs_per_second)} documents a second over the whole run` : `after ${lasting(x)}: ${grouped(line.before(x * (1 + 1e-12)))} documents a second`),
  });
  const element = section("speed", "Throughput", h("p.note", {}, "Documents a second, all learners together, over the seconds of the run."), chart.plot, h("div.where", {}, where, chart.zoom));
  return Object.assign(element, {
    drawn: () => {
      Object.assign(line, { at: run.speed.seconds, values: run.speed.pace });
      chart.draw({ lines: [line], from: 0, named: false, labelled: (x) => `${Number(x.toPrecision(3))} s` });
      chart.hovered(null);
    },
  });
}
