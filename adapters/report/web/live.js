// Updates the page of a running run: it polls for news, and the curves grow.
const MOST = 3000; // after this many new points the page loads all again, thinned

function watch(page) {
  const { every } = page.data.live;
  const run = page.data.runs[0];
  const state = h("span.live", { role: "status" }, "live");
  let rounds = 0, failures = 0;

  async function look() {
    try {
      const fresh = !run.curves || run.grown > MOST;
      const after = fresh ? "" : `after=${run.curves.last}&`;
      const answer = await fetch(`report.json?${after}events=${run.events_count}&labels=${Number(fresh || rounds++ % 5 === 0)}`, { cache: "no-store" });
      if (!answer.ok) throw new Error(`the run answered ${answer.status}`);
      take(page, run, await answer.json(), fresh);
      failures = 0;
    } catch (error) {
      failures++;
    }
    const over = run.finished || failures > 3;
    state.classList.toggle("over", over);
    state.replaceChildren(run.finished ? "finished" : failures > 3 ? "no connection" : "live");
    if (!run.finished) setTimeout(look, every * Math.min(10, 1 + failures));
  }

  setTimeout(look, every);
  return state;
}

function take(page, run, news, fresh) {
  const begun = Boolean(run.curves), had = Boolean(run.verdicts && run.verdicts.pairs.length);
  if (fresh) Object.assign(run, { curves: news.curves, grown: 0 });
  else if (news.curves) run.grown = appended(run.curves, news.curves) ? (run.grown || 0) + news.curves.points : Infinity;
  run.time = null;
  Object.assign(run, { summary: news.summary, newest: news.newest, letters: news.letters, verdicts: news.verdicts, speed: news.speed || run.speed, finished: news.finished });
  const first = !run.events.length && news.events.length;
  run.events_count = news.events_count;
  run.events.push(...news.events);
  run.events.splice(0, run.events.length - 1000);
  const before = Object.keys(run.labels).length;
  if (news.labels) run.labels = news.labels;
  if (news.tree) run.tree = news.tree;
  if (!begun || first || !had !== !(run.verdicts && run.verdicts.pairs.length) || !before !== !Object.keys(run.labels).length || page.letters !== run.letters.count) page.show(run);
  else page.renew();
}
