// The learning curves, with controls for the figure, the span and the x axis.
function curvesSection(run, page) {
  if (!run.curves) return section("curves", "Learning curves", h("p.note", {}, "No point of a curve has been written yet."));
  const figures = run.curves.figures;
  const state = page.curves;
  if (!figures.includes(state.figure)) state.figure = figures.includes("iserr") ? "iserr" : figures[0];
  const explained = h("p.note", {});
  const where = h("output", {}, "");
  const legend = h("ul.legend", { "aria-label": "Learners: press to hide or show" });
  const chart = new Chart({ title: "Learning curves", hovered: (x) => values(x) });
  let lines = [], way = null;

  function draw() {
    run.time = run.time || clock(run.curves.clock);
    const byDate = state.along === "date" && run.time.known;
    way = byDate ? (x) => run.time.time(x) : (x) => x;
    lines = run.learners.map(({ name }) => lineOf(run, name, state.figure + state.span)).filter(Boolean);
    if (state.scale !== "log") lines = lines.map((line) => line.from(Math.min((run.window || 1000) / 10, newestOf(run) / 20)));
    if (byDate) for (const line of lines) line.at = dated(line.at.map(way));
    chart.draw({
      lines, hidden: state.hidden, time: byDate, log: !byDate && state.scale === "log",
      marks: marked(),
    });
    const names = lines.map((line) => line.name).join("\n");
    if (legend.dataset.names !== names) { // otherwise a button would lose the focus
      legend.dataset.names = names;
      legend.replaceChildren(...lines.map((line) => h("li", {}, chip(line))));
    }
    const loss = page.data.losses[state.figure];
    explained.replaceChildren(
      loss ? `${state.figure}: ${loss.summary} ${loss.best > 0 ? "Higher is better." : "Lower is better."}` : state.figure,
      state.span ? ` Over the last ${many(run.window || 1000, "scored document")}.` : " Over all documents so far.",
      ...marksNote(run, state));
    chart.point(chart.x);
  }

  function marked() {
    return marks(run, state).map((mark) => ({ ...mark, x: way(mark.x) }));
  }

  function chip(line) {
    return h("button", {
      type: "button", "aria-pressed": !state.hidden.has(line.name), title: line.name,
      onclick: (event) => {
        if (!state.hidden.delete(line.name)) state.hidden.add(line.name);
        event.currentTarget.setAttribute("aria-pressed", !state.hidden.has(line.name));
        chart.marks = marked();
        chart.hide(state.hidden);
      },
    }, swatch(line.look), h("span.name", {}, line.name), h("span.value", {}));
  }

  function values(x) {
    legend.querySelectorAll(".value").forEach((value, i) => value.replaceChildren(figure(x === null ? lines[i].last : lines[i].before(x * (1 + 1e-12)))));
    if (x === null) return where.replaceChildren(many(newestOf(run), "document"));
    const document = chart.time ? run.time.document(x) : x;
    const date = run.time.known ? `, ${moment(run.time.time(document))} UTC` : "";
    where.replaceChildren(`at document ${grouped(document)}${date}`);
  }

  const controls = h("div.controls", {},
    pick("Figure", figures.map((name) => [name, name]), state.figure, (value) => { state.figure = value; draw(); }),
    either("Over", [["", "all so far"], ["_window", `last ${grouped(run.window || 1000)}`]], state.span, (value) => { state.span = value; draw(); }),
    run.curves.clock.d.length > 1 ? either("Along", [["documents", "documents"], ["date", "date"]], state.along, (value) => { state.along = value; draw(); }) : null,
    either("Scale", [["linear", "linear"], ["log", "log"]], state.scale, (value) => { state.scale = value; draw(); }),
    run.events.length ? either("Marks", [["all", "all"], ["none", "none"]], state.marks, (value) => { state.marks = value; draw(); }) : null);
  const element = section("curves", "Learning curves", controls, chart.plot, h("div.where", {}, where, chart.zoom), legend, explained);
  return Object.assign(element, { drawn: draw });
}

function newestOf(run) {
  return run.summary.documents ?? run.curves.last;
}

// Dygraphs needs ascending x; documents of an archive may come out of order.
function dated(times) {
  let newest = -Infinity;
  return times.map((time, i) => (newest = Math.max(newest + 1e-6 * (i > 0), time)));
}

const EVENTS = {
  drift: { colour: "--strong", dash: [2, 3], many: "drifts" },
  refit: { colour: "--strong", dash: [6, 3], many: "refits" },
  "refit failed": { colour: "--bad", dash: [1, 4], many: "refits that failed" },
  champion: { colour: "--strong", dash: [1, 0], many: "changes of the champion" },
};
const MARKS = 60; // more lines would hide the curves

function marks(run, state) {
  if (state.marks === "none") return [];
  const shown = run.events.filter((event) => EVENTS[event.event] && event.document > 0 && !state.hidden.has(event.learner));
  const own = shown.filter((event) => !event.learner || !run.looks.get(event.learner)?.colour.includes("base"));
  return own.slice(-MARKS).map((event) => ({
    x: event.document,
    colour: ["drift", "refit"].includes(event.event) && run.looks.has(event.learner) ? run.looks.get(event.learner).colour : EVENTS[event.event].colour,
    dash: EVENTS[event.event].dash,
  }));
}

function marksNote(run, state) {
  if (!run.events.length || state.marks === "none") return [];
  const kinds = [...new Set(run.events.map((event) => event.event))].filter((kind) => EVENTS[kind]);
  if (!kinds.length) return [];
  const lineKinds = { drift: "dotted, in the learner's colour", refit: "dashed, in the learner's colour", "refit failed": "thinly dotted", champion: "solid" };
  const left = run.events_count - MARKS;
  return [` Vertical lines${left > 0 ? `, the newest ${MARKS}` : ""}: ${kinds.map((kind) => `${EVENTS[kind].many} (${lineKinds[kind]})`).join(", ")}.`];
}
