// What can go wrong: switches of the printer, the network, the plug and the clock.

import { order } from "./feed.js";
import { onLanguage, words } from "./words.js";

const groups = {
  groupPrinter: ["paper", "paper-low", "cover", "printer", "range", "slow"],
  groupNetwork: ["cable", "dead", { name: "delay", of: "delays", do: (value) => ({ do: "delay", milliseconds: +value }) }],
  groupPower: ["plug", { name: "clock", of: "clocks", do: (value) => ({ do: "clock", clock: value }) }],
};
const place = document.getElementById("switches");
let state = {};

function make() {
  place.replaceChildren(...Object.entries(groups).map(([name, entries]) => {
    const group = document.createElement("fieldset");
    const legend = document.createElement("legend");
    legend.textContent = words[name];
    group.append(legend, ...entries.map((entry) => typeof entry === "string" ? toggle(entry) : choice(entry)));
    return group;
  }));
}

function toggle(name) {
  const label = document.createElement("label");
  const box = document.createElement("input");
  box.type = "checkbox";
  box.setAttribute("role", "switch");
  box.id = `switch-${name}`;
  box.checked = state[name] ?? false;
  box.addEventListener("change", () => order({ do: "switch", name, on: box.checked }));
  label.className = "switch";
  label.append(box, words.switches[name]);
  return label;
}

function choice({ name, of, do: make }) {
  const label = document.createElement("label");
  const select = document.createElement("select");
  select.id = `choose-${name}`;
  for (const [value, text] of Object.entries(words[of])) select.add(new Option(text, value));
  select.value = state[name];
  select.addEventListener("change", () => order(make(select.value)));
  label.className = "choice";
  label.append(name === "delay" ? words.delay : words.clockIs, select);
  return label;
}

export function showSwitchStates(switches) {
  state = switches;
  for (const box of place.querySelectorAll("input")) box.checked = state[box.id.replace("switch-", "")];
  for (const select of place.querySelectorAll("select")) select.value = state[select.id.replace("choose-", "")];
}

onLanguage(make);
