// The events of a run: drifts, refits, changes of the champion, learners that failed.
function happenedSection(run) {
  if (!run.events.length) return null;
  const table = new Table({
    caption: "Events", most: 20, sort: 1,
    columns: [
      { title: "what", of: (row) => row.event, show: (row) => capital(row.event), text: true },
      { title: "document", of: (row) => row.document, show: (row) => grouped(row.document) },
      { title: "learner", of: (row) => row.learner || row.to || "", show: (row) => row.learner ? named(row.learner, run.looks.get(row.learner)) : "", text: true },
      { title: "", of: details, show: details, text: true, wide: true },
    ],
    rows: run.events,
  });
  const left = run.events_count - run.events.length;
  const note = left > 0 ? h("p.note", {}, `The newest ${grouped(run.events.length)} of ${grouped(run.events_count)} are on this page.`) : null;
  return Object.assign(section("happened", "Events", table.element, note), { renew: () => table.update(run.events) });
}

function details(event) {
  if (event.event === "champion" && event.reason) return `${event.to} takes over: ${event.reason}`;
  if (event.event === "learner set aside") return `${event.error}: ${event.message}`;
  if (event.event === "weights not finite") return "it has weights that are NaN or infinite, and predicts by chance";
  if (event.event === "champion") return `${event.to} takes over from ${event.from}: ${event.loss} ${figure(event.figures[event.to])}, not ${figure(event.figures[event.from])}`;
  if (event.event === "order") {
    const [one, other] = event.learners;
    return event.better ? `${event.better} is better than ${event.better === one ? other : one} since document ${grouped(event.since)} (${event.loss})` : `${one} or ${other}: open again (${event.loss})`;
  }
  if (event.event === "drift") return `${event.loss} ${event.worse ? "rose" : "fell"} from ${figure(event.before)} to ${figure(event.after)} (${event.detector})`;
  const rest = Object.entries(event).filter(([key]) => !["event", "document", "learner"].includes(key));
  return rest.map(([key, value]) => `${key} ${typeof value === "number" ? figureOrCount(value) : value}`).join(", ");
}

function figureOrCount(x) {
  return Number.isInteger(x) ? grouped(x) : figure(x);
}
