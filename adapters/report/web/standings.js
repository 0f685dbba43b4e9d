// The figures of every learner, over all documents or on the test part, with the best of each column marked.
function standingsSection(run, page) {
  const holder = h("div", {});
  const state = page.standings;
  const losses = page.data.losses;

  function rows(part) {
    if (part === "learners" && !run.summary.learners && run.curves) {
      return run.learners.map(({ name }) => ({ name, ...Object.fromEntries(run.curves.figures.map((figure) => [figure, lineOf(run, name, figure).last])) }));
    }
    return Object.entries(run.summary[part] || {}).map(([name, figures]) => ({ name, ...figures }));
  }

  function fill() {
    const found = rows(state.part);
    const known = Object.keys(losses).filter((name) => found.some((row) => row[name] !== null && row[name] !== undefined));
    const shown = state.all ? known : known.filter((name) => losses[name].priority !== null);
    const best = Object.fromEntries(shown.map((name) => {
      const values = found.filter((row) => !failed(run, row.name)).map((row) => row[name]).filter((x) => x !== null && x !== undefined);
      return [name, losses[name].best > 0 ? Math.max(...values) : Math.min(...values)];
    }));
    const table = new Table({
      caption: "Figures of each learner", rows: found,
      columns: [
        { title: "learner", of: (row) => row.name, show: (row) => h("span", {}, named(row.name, run.looks.get(row.name)), until(run, row.name)), text: true },
        ...shown.map((name) => ({
          title: name, of: (row) => row[name],
          show: (row) => (row[name] === best[name] && !failed(run, row.name) ? h("span.best", {}, figure(row[name])) : figure(row[name])),
        })),
      ],
    });
    holder.replaceChildren(table.element);
  }

  fill();
  const parts = (run.crossval ? [["learners", "out of fold"], ["train", "within fold"]] : [["learners", "learnt"], ["test", "test part"]]).filter(([part]) => part === "learners" || run.summary[part]);
  return Object.assign(section("standings", "Figures",
    h("div.controls", {},
      parts.length > 1 ? either("Part", parts, state.part, (value) => { state.part = value; fill(); }) : null,
      either("Columns", [["", "usual"], ["all", "all"]], state.all ? "all" : "", (value) => { state.all = value === "all"; fill(); })),
    holder, h("p.note", {}, "Means over all scored documents; the best of each column is highlighted.")), { renew: fill });
}

// The failure of a learner that was set aside; its figures end there.
function failed(run, name) {
  return run.summary.set_aside?.[name];
}

function until(run, name) {
  const failure = failed(run, name);
  return failure ? ` until document ${grouped(failure.document)}` : null;
}

function standing(run, figure) {
  const found = run.summary.learners;
  if (found) return Object.entries(found).map(([name, figures]) => [name, figures[figure]]);
  return run.curves ? run.learners.map(({ name }) => [name, lineOf(run, name, figure)?.last]) : [];
}

// The sentence at the head: the best learner, and its figure.
function verdict(run) {
  const known = standing(run, "iserr").filter(([name, x]) => x !== null && x !== undefined && !failed(run, name)).sort((one, other) => one[1] - other[1]);
  if (!known.length) return null;
  const [[name, value], next] = known;
  const words = [h("b", {}, name), ` has the lowest share of documents whose ranking of labels is not perfect (iserr): ${figure(value)}`];
  if (next) words.push(`, ahead of ${next[0]} with ${figure(next[1])}`);
  return h("p.lead", {}, words, ".", sure(run, name));
}

// Which learners it is better than beyond chance, and since when.
function sure(run, name) {
  const own = (run.verdicts?.pairs || []).filter((pair) => pair.loss === "iserr" && pair.part === "train" && (pair.a === name || pair.b === name));
  const beaten = own.filter((pair) => pair.better === name).map((pair) => `${pair.a === name ? pair.b : pair.a} since document ${grouped(pair.since)}`);
  const open = own.filter((pair) => pair.better === null).map((pair) => (pair.a === name ? pair.b : pair.a));
  if (!beaten.length) return null;
  const share = Number((100 * (1 - run.verdicts.alpha)).toFixed(2));
  return ` With ${share} % confidence it is better than ${listed(beaten)}${open.length ? `; ${listed(open)} may be as good` : ""}.`;
}
