// The settings of the run, and the command to repeat it.
function figuresList(run) {
  const { summary } = run, pairs = [];
  const put = (name, value) => { if (value !== null && value !== undefined && value !== "–") pairs.push([name, value]); };
  put("documents", run.curves || summary.documents ? grouped(summary.documents ?? newestOf(run)) : null);
  put("a second", summary.docs_per_second ? grouped(summary.docs_per_second) : null);
  put("labels", summary.labels && grouped(summary.labels));
  put("features", summary.features && grouped(summary.features));
  if (summary.unlabelled) put("without labels", grouped(summary.unlabelled));
  if (summary.pending) put("waiting for labels", grouped(summary.pending));
  if (summary.duplicates) put("duplicates", grouped(summary.duplicates));
  put("broken records", grouped(summary.dead_letters ?? run.letters?.count ?? 0));
  if (summary.champion) put("champion", summary.champion);
  return h("dl.figures", {}, pairs.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
}

function factsSection(run) {
  const pair = ([name, value]) => [h("dt", {}, name), h("dd", {}, value)];
  return section("facts", "The run",
    run.command_line ? h("pre", {}, run.command_line) : null,
    h("dl.pairs", {}, run.learners.filter(({ parameters }) => parameters).map(({ name, parameters }) => pair([name, parameters])),
      run.facts.map(pair), pair(["versions", Object.entries(run.versions).filter(([, value]) => value).map((both) => both.join(" ")).join(", ")])));
}
