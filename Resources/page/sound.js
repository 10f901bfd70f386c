// The speaker: the very samples that the box wrote, and how they look.

import { onLanguage, words } from "./words.js";

const button = document.getElementById("sound");
const canvas = document.getElementById("wave");
const text = document.getElementById("words");
const delay = 0.12; // s between a sample's coming and its being heard, for the page's own hiccups
const perColumn = 240; // samples
let context;
let playFrom = 0;
let columns = [];
let said = { words: "", power: true };

/// What has come so far, for whoever tests the page.
export const heard = { samples: 0 };

function turnOn() {
  context ??= new AudioContext();
  context.resume().then(showButton);
}

function showButton() {
  const isOn = context?.state === "running";
  button.textContent = isOn ? words.soundOn : words.soundOff;
  button.setAttribute("aria-pressed", isOn);
}

button.addEventListener("click", () => {
  if (context?.state === "running") context.suspend().then(showButton);
  else turnOn();
});
// A browser lets a page sound only after somebody touched it: the first touch will do.
addEventListener("pointerdown", (event) => { if (!context && event.target !== button) turnOn(); }, { once: true });
addEventListener("keydown", () => { if (!context) turnOn(); }, { once: true });

export function showWords(change) {
  said = { ...said, ...change };
  text.textContent = said.power ? said.words || words.silence : words.off;
  text.classList.toggle("quiet", !said.power || !said.words);
}

export function beginPhrase(phrase) {
  columns = [];
  draw();
  // A chime stands in for a text that nothing can say.
  showWords({ words: phrase || "♪" });
}

/// samples: 16-bit, the lower byte first, in base64.
export function play(samples, rate) {
  const bytes = Uint8Array.from(atob(samples), (c) => c.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  const values = new Float32Array(bytes.length / 2);
  for (let i = 0; i < values.length; i++) values[i] = view.getInt16(2 * i, true) / 32768;
  heard.samples += values.length;
  addColumns(values);
  if (context?.state !== "running") return;
  const buffer = context.createBuffer(1, values.length, rate);
  buffer.copyToChannel(values, 0);
  const source = new AudioBufferSourceNode(context, { buffer });
  source.connect(context.destination);
  playFrom = Math.max(playFrom, context.currentTime + (playFrom < context.currentTime ? delay : 0));
  source.start(playFrom);
  playFrom += buffer.duration;
}

function addColumns(values) {
  for (let i = 0; i < values.length; i += perColumn) {
    let peak = 0;
    for (const value of values.subarray(i, i + perColumn)) peak = Math.max(peak, Math.abs(value));
    columns.push(peak);
  }
  draw();
}

function draw() {
  const scale = devicePixelRatio;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  canvas.width = width * scale;
  canvas.height = height * scale;
  const pen = canvas.getContext("2d");
  pen.scale(scale, scale);
  pen.fillStyle = getComputedStyle(canvas).color;
  const most = Math.floor(width / 3);
  const step = Math.max(1, columns.length / most);
  for (let x = 0; x < Math.min(most, columns.length); x++) {
    const peak = Math.max(...columns.slice(Math.floor(x * step), Math.floor((x + 1) * step)), 0);
    const tall = Math.max(2, Math.sqrt(peak) * height);
    pen.fillRect(3 * x, (height - tall) / 2, 2, tall);
  }
}

addEventListener("resize", draw);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
onLanguage(() => {
  showButton();
  showWords({});
});
