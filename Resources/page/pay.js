// What customers pay: a form, samples of every dialect that back ends send, and what became of each push.

import { order } from "./feed.js";
import { onLanguage, words } from "./words.js";

const byId = (id) => document.getElementById(id);
const list = byId("pushes");
const most = 12; // pushes shown
const pushes = new Map();

// Bodies as docs/push-protocol.md describes them, by its dialects' names. A body is a text, so that it goes as it is.
const samples = await (await fetch("samples.json")).json();

async function send(body, id) {
  byId("fault").textContent = await order(id ? { do: "push", body, id } : { do: "push", body });
}

byId("form").addEventListener("submit", (event) => {
  event.preventDefault();
  const [kind, amount, channel] = ["kind", "amount", "channel"].map((id) => byId(id).value.trim());
  const body = JSON.stringify({ kind, amount, channel });
  byId("body").value = body;
  send(body);
});

byId("send").addEventListener("click", () => send(byId("body").value));

for (const { name, body } of samples) {
  const chip = document.createElement("button");
  chip.type = "button";
  chip.textContent = name;
  chip.addEventListener("click", () => {
    byId("body").value = body;
    send(body);
  });
  byId("sample-list").append(chip);
}
byId("body").value = samples[0].body;

export function showPush(push) {
  pushes.delete(push.id);
  pushes.set(push.id, push);
  while (pushes.size > most) pushes.delete(pushes.keys().next().value);
  show();
}

export function showPushes(all) {
  pushes.clear();
  for (const push of all) pushes.set(push.id, push);
  show();
}

function show() { list.replaceChildren(...[...pushes.values()].reverse().map(row)); }

function row(push) {
  const item = document.createElement("li");
  const title = document.createElement("strong");
  const outcome = document.createElement("span");
  const again = document.createElement("button");
  title.textContent = name(push.body);
  outcome.textContent = outcomes(push).join(" · ");
  outcome.className = isBad(push) ? "outcome bad" : push.state === "done" ? "outcome good" : "outcome";
  again.type = "button";
  again.textContent = words.again;
  again.addEventListener("click", () => send(push.body, push.id));
  item.title = `${push.id}\n${push.body.slice(0, 300)}`;
  item.append(title, outcome);
  if (push.own) item.append(again);
  return item;
}

const isBad = (push) => push.state === "refused" || push.voice === "failed" || push.paper === "failed";

/// The amount and channel of the own form, or what it says; else the alert, else the body.
function name(body) {
  try {
    const { amount, channel, kind, say, aps } = JSON.parse(body);
    if (kind === "notice") return say || words.kinds.notice;
    if (amount) return `${kind === "refund" ? "−" : ""}${amount} ${words.channels[channel] ?? ""}`;
    const alert = aps?.alert;
    return alert?.body ?? alert ?? body;
  } catch {
    return body;
  }
}

function outcomes(push) {
  const parts = [words.results[push.state ?? "waiting"] ?? push.state];
  if (push.state === "done" || push.state === "duplicate") {
    if (push.voice) parts.push(words.voices[push.voice]);
    if (push.paper) parts.push(words.papers[push.paper]);
  }
  if (push.reason) parts.push(push.reason);
  return parts;
}

onLanguage(() => {
  for (const option of byId("channel").options) option.textContent = words.channels[option.value];
  for (const option of byId("kind").options) option.textContent = words.kinds[option.value];
  show();
});
