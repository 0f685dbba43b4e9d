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
    const { columns, sort_by: by } = page.data.shown, first = headline(page.data);
    const usual = columns.length ? columns.filter((name) => known.includes(name)) : known.filter((name) => losses[name].priority !== null);
    const shown = state.all ? known : [...new Set([...(page.data.shown.headline && known.includes(first) ? [first] : []), ...usual])];
    const best = Object.fromEntries(shown.map((name) => {
      const values = found.filter((row) => !failed(run, row.name)).map((row) => row[name]).filter((x) => x !== null && x !== undefined);
      return [name, losses[name].best > 0 ? Math.max(...values) : Math.min(...values)];
    }));
    const table = new Table({
      caption: "Figures of each learner", rows: found, sort: shown.includes(by) ? 1 + shown.indexOf(by) : null, down: losses[by]?.best > 0,
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

// The figure to look at first.
function headline(data) {
  return data.shown.headline || "iserr";
}

// All learners with a value of a figure, the best first.
function ranked(run, name) {
  const best = page.data.losses[name]?.best ?? 0;
  return standing(run, name).filter(([one, x]) => x !== null && x !== undefined && !failed(run, one)).sort((one, other) => Math.abs(one[1] - best) - Math.abs(other[1] - best));
}

// The sentence at the head: the best learner by the headline, and by what other figures another one is better.
function verdict(run) {
  const first = headline(page.data), known = ranked(run, first);
  if (!known.length) return null;
  const [[name, value], next] = known;
  const what = first === "iserr" ? "the lowest share of documents whose ranking of labels is not perfect (iserr)" : `the best ${first}`;
  const words = [h("b", {}, name), ` has ${what}: ${figure(value)}`];
  if (next) words.push(`, ahead of ${next[0]} with ${figure(next[1])}`);
  return h("p.lead", {}, words, ".", sure(run, name), weighed(run, first, name));
}

const WEIGHED = 4; // figures that are a share, the most important ones

function weighed(run, first, name) {
  const shares = Object.entries(page.data.losses).filter(([, loss]) => loss.unit === "ratio" && loss.priority !== null).sort((one, other) => one[1].priority - other[1].priority).map(([one]) => one);
  const { columns } = page.data.shown, chosen = columns.filter((one) => page.data.losses[one]?.unit === "ratio");
  const won = [...new Set([first, ...(columns.length ? chosen : shares)])].filter((one) => ranked(run, one).length > 1).slice(0, WEIGHED)
    .map((one) => [one, ranked(run, one)]).filter(([, [best, next]]) => best[1] !== next[1]).map(([one, [best]]) => [one, best[0]]);
  const others = won.filter(([one]) => one !== first), lost = others.filter(([, best]) => best !== name);
  if (!others.length) return null;
  if (!lost.length) return ` It is the best by ${listed(others.map(([one]) => one))} too.`;
  const better = [...new Set(lost.map(([, best]) => best))];
  return ` But ${better.map((one) => `${one} is better by ${listed(lost.filter(([, best]) => best === one).map(([loss]) => loss))}`).join(", ")}.`;
}

// Which learners it is better than beyond chance, and since when.
function sure(run, name) {
  const first = headline(page.data);
  const own = (run.verdicts?.pairs || []).filter((pair) => pair.loss === first && pair.part === "train" && (pair.a === name || pair.b === name));
  const beaten = own.filter((pair) => pair.better === name).map((pair) => `${pair.a === name ? pair.b : pair.a} since document ${grouped(pair.since)}`);
  const open = own.filter((pair) => pair.better === null).map((pair) => (pair.a === name ? pair.b : pair.a));
  if (!beaten.length) return null;
  const share = Number((100 * (1 - run.verdicts.alpha)).toFixed(2));
  return ` With ${share} % confidence it is better than ${listed(beaten)}${open.length ? `; ${listed(open)} may be as good` : ""}.`;
}
