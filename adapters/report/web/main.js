// The page: a head, a choice of runs, and the sections of the chosen run.
const data = JSON.parse(document.getElementById("data").textContent);
const page = {
  data,
  curves: { figure: headline(data), span: "", along: "documents", scale: "linear", marks: "all", hidden: new Set() },
  standings: { part: "learners", all: false },
  reliability: { learner: null },
  labels: { learner: null },
  tree: { learner: null, folds: new Map(), to: 2, most: ROWS, needle: "" },
  newest: { learner: null },
  verdicts: { loss: null, part: null },
  words: { learner: null },
  sections: [],
};
const main = document.getElementById("page");
const title = h(data.runs.length > 1 ? "h2.run" : "h1", {}), head = h("header", {}), body = h("div", {}), links = h("nav", { "aria-label": "Sections" });
const SHORT = {
  curves: "Curves", passes: "Passes", folds: "Folds", rounds: "Rounds", chosen: "Words", confusion: "Confusion", wrong: "Wrong", standings: "Figures", reliability: "Probabilities", newest: "Newest",
  better: "Better", labels: "Labels", tree: "Tree", words: "Terms", happened: "Events", speed: "Speed", letters: "Broken", facts: "Run",
};
const allLooks = looks(data.runs.flatMap((run) => run.learners)); // a learner looks the same in all runs

page.show = (run) => {
  page.run = run;
  page.letters = run.letters?.count;
  run.looks = allLooks;
  const own = run.crossval;
  page.sections = [
    own ? null : curvesSection(run, page), passesSection(run, page), standingsSection(run, page), reliabilitySection(run, page), verdictsSection(run, page), ...crossvalSections(run, page), newestSection(run, page),
    labelsSection(run, page), treeSection(run, page), wordsSection(run, page), happenedSection(run), run.speed ? speedSection(run) : null, lettersSection(run), factsSection(run),
  ].filter(Boolean);
  body.replaceChildren(...page.sections);
  links.replaceChildren(...page.sections.map((one) => h("a", { href: `#${one.id}` }, SHORT[one.id])));
  page.headline();
  page.draw();
};
page.headline = () => {
  const run = page.run;
  title.replaceChildren(run.name);
  document.title = `${run.name} – Telex`;
  head.replaceChildren(title, ...[verdict(run), figuresList(run)].filter(Boolean));
};
page.draw = () => page.sections.forEach((one) => one.drawn && one.drawn());
page.renew = () => {
  page.headline();
  page.sections.forEach((one) => one.renew && one.renew());
  page.draw();
};

const chooser = data.runs.length > 1 ? pick("Run", data.runs.map((run, i) => [String(i), run.name]), "0", (value) => page.show(data.runs[Number(value)])) : null;
main.replaceChildren(
  h("div.top", {}, h("span.brand", {}, "Telex"), data.live ? watch(page) : null, links,
    either("Theme", [["auto", "auto"], ["light", "light"], ["dark", "dark"]], "auto", (value) => { theme.chosen = value; theme.apply(); })),
  ...(chooser ? [h("h1", {}, `${data.runs.length} runs`), overview(data.runs), h("div.controls", {}, chooser)] : []),
  head, body,
  h("footer", {}, `Telex ${data.telex || ""}. This page loads nothing from the network${data.live ? " except its own run" : ""}.`));
theme.apply();
page.show(data.runs[0]);
theme.listeners.push(page.draw);
let width = innerWidth;
addEventListener("resize", () => { if (width !== innerWidth) { width = innerWidth; page.draw(); } });

// Several runs side by side, with all their learners.
function overview(runs) {
  const rows = runs.flatMap((run) => Object.entries(run.summary.learners || {}).map(([name, figures]) => ({ run: run.name, name, ...figures })));
  if (!rows.length) return null;
  const names = data.columns.runs.filter((name) => rows.some((row) => name in row));
  return new Table({
    caption: "All runs", rows, most: 12, sort: 2 + Math.max(0, names.indexOf(data.shown.sort_by)), down: data.losses[names.includes(data.shown.sort_by) ? data.shown.sort_by : names[0]]?.best > 0,
    columns: [
      { title: "run", of: (row) => row.run, show: (row) => row.run, text: true }, { title: "learner", of: (row) => row.name, show: (row) => row.name, text: true },
      ...[...names, "docs"].map((name) => ({ title: name, of: (row) => row[name] ?? null, show: (row) => (name === "docs" ? grouped : figure)(row[name]) })),
    ],
  }).element;
}
