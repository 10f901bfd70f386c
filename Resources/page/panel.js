// The front of the box: its light and its one key.

import { order } from "./feed.js";
import { onLanguage, words } from "./words.js";

const lamp = document.getElementById("lamp");
const key = document.getElementById("button");
const text = document.getElementById("light-words");
let shown = { state: "ready", pattern: "steady", power: true };

/// One edge of the light, as the box makes it.
export function showLight(brightness) { lamp.style.setProperty("--lit", brightness / 100); }

export function showState(change) {
  shown = { ...shown, ...change };
  document.getElementById("box").classList.toggle("off", !shown.power);
  text.textContent = shown.power
    ? `${words.states[shown.state] ?? shown.state} (${words.patterns[shown.pattern] ?? shown.pattern})`
    : words.off;
}

onLanguage(() => showState({}));

// The key: what goes down must come up, wherever the pointer or the focus went meanwhile.

// A tap on glass may be shorter than a finger on a key: the box would take it for a bounce.

const least = 60; // ms between two moves of the key
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
let isDown = false;
let movedAt = 0;
let moves = Promise.resolve();

function move(down) {
  if (down === isDown) return;
  isDown = down;
  moves = moves.then(async () => {
    await pause(movedAt + least - performance.now());
    movedAt = performance.now();
    key.classList.toggle("down", down);
    await order({ do: down ? "press" : "release" });
  });
}

const isKey = (event) => event.key === " " || event.key === "Enter";

key.addEventListener("pointerdown", (event) => {
  if (event.button !== 0) return;
  key.setPointerCapture(event.pointerId);
  move(true);
});
for (const name of ["pointerup", "pointercancel", "lostpointercapture", "blur"]) {
  key.addEventListener(name, () => move(false));
}
key.addEventListener("contextmenu", (event) => event.preventDefault());
key.addEventListener("keydown", (event) => {
  if (!isKey(event)) return;
  event.preventDefault();
  if (!event.repeat) move(true);
});
key.addEventListener("keyup", (event) => { if (isKey(event)) move(false); });
addEventListener("pagehide", () => move(false));
// A screen reader's click comes without a pointer and without a key.
key.addEventListener("click", (event) => { if (event.detail === 0 && event.pointerType === "") press([120]); });

/// Down for the first time, up for the second, and so on, in ms.
async function press(times) {
  for (const [i, time] of times.entries()) {
    move(i % 2 === 0);
    await pause(time);
  }
  move(false);
}

for (const gesture of document.querySelectorAll("[data-presses]")) {
  gesture.addEventListener("click", () => press(gesture.dataset.presses.split(" ").map(Number)));
}
