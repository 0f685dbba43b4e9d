// The settings of the run, and the command to repeat it.
function figuresList(run) {
  const told = run.summary, pairs = [];
  const put = (name, value) => { if (value !== null && value !== undefined && value !== "–") pairs.push([name, value]); };
  put("documents", run.curves || told.documents ? grouped(told.documents ?? newestOf(run)) : null);
  put("a second", told.docs_per_second ? grouped(told.docs_per_second) : null);
  put("labels", told.labels && grouped(told.labels));
  put("features", told.features && grouped(told.features));
  if (told.unlabelled) put("without labels", grouped(told.unlabelled));
  if (told.pending) put("waiting for labels", grouped(told.pending));
  if (told.duplicates) put("duplicates", grouped(told.duplicates));
  put("broken records", grouped(told.dead_letters ?? run.letters?.count ?? 0));
  if (told.champion) put("champion", told.champion);
  return h("dl.figures", {}, pairs.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
}

function factsSection(run) {
  const pair = ([name, value]) => [h("dt", {}, name), h("dd", {}, value)];
  return section("facts", "The run",
    run.command_line ? h("pre", {}, run.command_line) : null,
    h("dl.pairs", {}, run.learners.filter(({ parameters }) => parameters).map(({ name, parameters }) => pair([name, parameters])),
      run.facts.map(pair), pair(["versions", Object.entries(run.versions).filter(([, value]) => value).map((both) => both.join(" ")).join(", ")])));
}
