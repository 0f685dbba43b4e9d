// Figures as in the terminal: three or four significant digits, a dash if undefined.
function figure(x) {
  if (x === null || x === undefined || Number.isNaN(x)) return "–";
  return Math.abs(x) < 10 ? x.toFixed(3) : Math.abs(x) < 1000 ? x.toFixed(2) : grouped(x);
}

function grouped(x) {
  return x === null || x === undefined ? "–" : Math.round(x).toLocaleString("en-US");
}

function many(count, what) {
  return `${grouped(count)} ${what}${count === 1 ? "" : "s"}`;
}

function moment(seconds) {
  return new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ");
}

function lasting(seconds) {
  if (seconds < 90) return `${seconds.toFixed(1)} s`;
  return seconds < 5400 ? `${(seconds / 60).toFixed(0)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function listed(words) {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
}
