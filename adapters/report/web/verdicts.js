// Which learner is better, and since when: intervals that hold at all times, and classical tests.
function verdictsSection(run, page) {
  const compared = run.verdicts;
  if (!compared || !compared.pairs.length) return null;
  const losses = [...new Set(compared.pairs.map((pair) => pair.loss))], parts = [...new Set(compared.pairs.map((pair) => pair.part))];
  const state = page.verdicts;
  if (!losses.includes(state.loss)) state.loss = losses[0];
  if (!parts.includes(state.part)) state.part = parts[0];
  const rows = () => run.verdicts.pairs.filter((pair) => pair.loss === state.loss && pair.part === state.part);
  const words = h("ul.verdicts", {});
  const tested = compared.pairs.some((pair) => pair.wald);
  const table = new Table({
    caption: "Pairs of learners", rows: rows(), most: 30,
    columns: [
      { title: "pair", of: (pair) => `${pair.a}, ${pair.b}`, show: (pair) => h("span.duel", {}, named(pair.a, run.looks.get(pair.a)), named(pair.b, run.looks.get(pair.b))), text: true },
      { title: "difference", of: (pair) => pair.difference, show: (pair) => signed(pair.difference) },
      { title: "always within", of: (pair) => pair.lower, show: (pair) => (pair.lower === null ? "–" : `${signed(pair.lower)} … ${signed(pair.upper)}`) },
      { title: "", of: (pair) => pair.difference, show: (pair) => interval(pair, rows()) },
      { title: "better since", of: (pair) => pair.since, show: (pair) => (pair.lower === null ? "–" : pair.better === null ? "open" : grouped(pair.since)) },
      ...(tested ? [{ title: "Wald p", of: (pair) => pair.wald.holm, show: (pair) => chance(pair.wald.holm) }, { title: "Wilcoxon p", of: (pair) => pair.wilcoxon.holm, show: (pair) => chance(pair.wilcoxon.holm) }] : []),
    ],
  });

  function fill() {
    const some = rows();
    const sure = some.filter((pair) => pair.better !== null).sort((one, other) => one.since - other.since);
    const open = some.filter((pair) => pair.better === null && pair.lower !== null); // a loss above 1 has no interval
    words.replaceChildren(...sure.map((pair) => h("li", {}, h("b", {}, pair.better), ` better than ${pair.better === pair.a ? pair.b : pair.a} since document ${grouped(pair.since)}`)),
      ...(open.length ? [h("li.quiet", {}, `open: ${open.map((pair) => `${pair.a} or ${pair.b}`).join(", ")}`)] : []));
    table.update(some);
  }

  const drawn = compared.drawn && compared.drawn.pairs.length ? duel(run, compared.drawn) : null;
  fill();
  const element = section("better", "Which learner is better",
    h("div.controls", {}, pick("Loss", losses.map((name) => [name, name]), state.loss, (value) => { state.loss = value; fill(); }),
      parts.length > 1 ? either("Part", [["train", "training part"], ["test", "test part"]], state.part, (value) => { state.part = value; fill(); }) : null),
    words, table.element,
    h("p.note", {}, `Difference: how much more the first of a pair loses than the second. Always within: the interval of the expected difference; it holds after every document and for all pairs at once with probability ${Math.round(100 - 100 * compared.alpha)} %, even if documents depend on each other.${tested ? " Wald and Wilcoxon assume independent documents and a single look; their p is corrected by Holm over the pairs." : ""}`),
    drawn ? drawn.element : null);
  return Object.assign(element, { drawn: () => drawn && drawn.draw(), renew: fill });
}

// The interval of one pair over the documents.
function duel(run, compared) {
  const state = { pair: Math.max(0, compared.pairs.findIndex((pair) => run.verdicts.pairs.some((one) => one.loss === compared.loss && one.a === pair.a && one.b === pair.b && one.better !== null))) };
  const where = h("output", {}, "");
  const chart = new Chart({
    title: "Interval of the difference", low: true,
    hovered: (x) => where.replaceChildren(x === null ? "" : `after ${many(Math.round(x), "document")}: ${chart.lines.slice(0, 3).map((line) => `${line.name} ${signed(line.before(x * (1 + 1e-9)))}`).join(", ")}`),
  });
  function draw() {
    const { a, b, ...bounds } = compared.pairs[state.pair];
    const begin = Math.max(0, bounds.upper.findIndex((x, i) => x !== null && x - bounds.lower[i] < 0.5)); // wider says nothing
    const documents = compared.documents.slice(begin);
    const line = (name, look) => new Line(name, look, documents, bounds[name].slice(begin));
    const end = { colour: "--base", dash: [4, 3], width: 1.4 };
    const pair = run.verdicts.pairs.find((one) => one.part === "train" && one.loss === compared.loss && one.a === a && one.b === b);
    const zero = new Line("zero", { colour: "--strong", dash: null, width: 1 }, [documents[0], documents[documents.length - 1]], [0, 0]);
    chart.draw({
      lines: [line("upper", end), line("difference", { colour: "--c0", dash: null, width: 2 }), line("lower", end), zero], named: false,
      log: true, marks: pair && pair.since ? [{ x: pair.since, colour: "--good", dash: [1, 0] }] : [],
    });
    chart.hovered(null);
  }
  return {
    draw,
    element: h("div", {}, h("div.controls", {}, pick(`${capital(compared.loss)}, of`, compared.pairs.map(({ a, b }, i) => [String(i), `${a} less ${b}`]), String(state.pair), (value) => { state.pair = Number(value); draw(); })),
      chart.plot, h("div.where", {}, where, chart.zoom), h("p.note", {}, "Once both dashed lines are on the same side of zero for good, the order is settled; the green line marks where.")),
  };
}

function signed(x) {
  return x === null || x === undefined ? "–" : `${x > 0 ? "+" : x < 0 ? "−" : ""}${Math.abs(x) < 10 ? Math.abs(x).toFixed(4) : Math.abs(x).toFixed(2)}`;
}

function chance(p) {
  return p === null ? "–" : p < 0.0001 ? "<0.0001" : p.toFixed(4);
}

// An interval and zero, on the scale of all pairs.
function interval({ lower, upper, difference }, pairs) {
  if (lower === null) return "";
  const far = Math.max(...pairs.map((pair) => Math.max(Math.abs(pair.lower ?? 0), Math.abs(pair.upper ?? 0)))) || 1;
  const at = (x) => (60 + (57 * x) / far).toFixed(1);
  const drawing = svg("svg", { viewBox: "0 0 120 14", class: "interval", "aria-hidden": "true" });
  drawing.append(svg("line", { x1: 60, x2: 60, y1: 0, y2: 14, class: "zero" }), svg("line", { x1: at(lower), x2: at(upper), y1: 7, y2: 7 }), svg("circle", { cx: at(difference), cy: 7, r: 2.6 }));
  return drawing;
}
