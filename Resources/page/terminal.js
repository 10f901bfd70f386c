// The technician's cable: what the box's console writes, and what is typed on it.

import { order } from "./feed.js";

const screen = document.getElementById("screen");
const line = document.getElementById("line");
const mostLines = 400;
const commands = ["help", "status", "pushes", "printer status", "doctor", "log follow", "say 12.50", "reprint"];
const interrupt = "\u0003";

let lines = [""];
let column = 0;
const typed = [];
let recalled = 0;

/// As much of a terminal as the box's console asks for: line ends, backspaces, and two escapes.
export function write(text) {
  for (const part of text.match(/\x1b\[[0-9;?]*[A-Za-z]|[\r\n\b\x07]|[^\x1b\r\n\b\x07]+|\x1b/gu) ?? []) put(part);
  // A terminal begins at its top.
  if (lines.length > 1 && lines[0] === "") lines.shift();
  if (lines.length > mostLines) lines = lines.slice(-mostLines);
  const isAtEnd = screen.scrollHeight - screen.scrollTop - screen.clientHeight < 40;
  screen.textContent = lines.join("\n");
  if (isAtEnd) screen.scrollTop = screen.scrollHeight;
}

function put(part) {
  const last = lines.length - 1;
  if (part === "\n") [lines[last + 1], column] = ["", 0];
  else if (part === "\r") column = 0;
  else if (part === "\b") column = Math.max(0, column - 1);
  else if (part.endsWith("[K")) lines[last] = [...lines[last]].slice(0, column).join("");
  else if (part.endsWith("[2J")) [lines, column] = [[""], 0];
  else if (!/^[\x1b\x07]/.test(part)) {
    const now = [...lines[last]];
    const signs = [...part];
    now.splice(column, signs.length, ...signs);
    column += signs.length;
    lines[last] = now.join("");
  }
}

export function showConsole(text) {
  [lines, column] = [[""], 0];
  write(text);
  screen.scrollTop = screen.scrollHeight;
}

function enter(text) {
  if (text && typed.at(-1) !== text) typed.push(text);
  recalled = typed.length;
  screen.scrollTop = screen.scrollHeight;
  order({ do: "type", text: text + "\r" });
}

document.getElementById("typing").addEventListener("submit", (event) => {
  event.preventDefault();
  enter(line.value);
  line.value = "";
});
document.getElementById("stop").addEventListener("click", () => order({ do: "type", text: interrupt }));
line.addEventListener("keydown", (event) => {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (event.key === "c" && event.ctrlKey && line.selectionStart === line.selectionEnd) {
    order({ do: "type", text: interrupt });
  } else if (step) {
    event.preventDefault();
    recalled = Math.min(Math.max(recalled + step, 0), typed.length);
    line.value = typed[recalled] ?? "";
  }
});

for (const command of commands) {
  const chip = document.createElement("button");
  chip.type = "button";
  chip.textContent = command;
  chip.addEventListener("click", () => enter(command));
  document.getElementById("commands").append(chip);
}
