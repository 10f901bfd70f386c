// The virtual counter's page: it shows what the counter tells and asks for what a hand would do. It decides nothing.

import { listen } from "./feed.js";
import { showLight, showState } from "./panel.js";
import { beginPhrase, heard, play, showWords } from "./sound.js";
import { growPaper, showPapers, showPrinter, showSwitches, tearOff } from "./paper.js";
import { showPush, showPushes } from "./pay.js";
import { showSwitchStates } from "./switches.js";
import { showConsole, write } from "./terminal.js";
import { showFrame, showFrames } from "./wire.js";
import { fillDocument, onLanguage, switchLanguage, words } from "./words.js";

let box;
let clock;

function showAll(now) {
  box = now.box;
  showAbout();
  showLight(now.light);
  showState({ state: now.state, pattern: now.pattern });
  showWords({ words: now.words });
  showPrinter(now.printer);
  showPapers(now.papers, now.paper);
  showPushes(now.pushes);
  showConsole(now.console);
  showFrames(now.frames);
  switched(now.switches);
  setClock(now.clock);
}

function switched(switches) {
  showSwitchStates(switches);
  showSwitches(switches);
  showState({ power: switches.plug });
  showWords({ power: switches.plug });
}

function setClock(reading) {
  if (!reading) return;
  clock = { ...reading, since: performance.now() };
  showClock();
}

function showClock() {
  if (!clock) return;
  const now = new Date(clock.time + clock.offset * 1000 + performance.now() - clock.since);
  const text = now.toISOString().replace("T", " ").slice(0, 19);
  document.getElementById("clock-words").textContent = clock.set ? text : `${text} (${words.clockNotSet})`;
}

function showAbout() { if (box) document.getElementById("about").textContent = words.about(box); }

onLanguage(() => {
  fillDocument();
  showAbout();
  showClock();
  const button = document.getElementById("language");
  button.textContent = words.language;
  button.lang = words.language === "中文" ? "zh-CN" : "en";
  button.setAttribute("aria-label", words.languageName);
});
document.getElementById("language").addEventListener("click", switchLanguage);
setInterval(showClock, 1000);

listen({
  snapshot: showAll,
  light: (event) => showLight(event.brightness),
  state: showState,
  phrase: (event) => beginPhrase(event.words),
  sound: (event) => play(event.samples, event.rate),
  paper: (event) => growPaper(event.paper),
  torn: (event) => tearOff(event.paper),
  printer: (event) => showPrinter(event.printer),
  push: showPush,
  console: (event) => write(event.text),
  frame: showFrame,
  switches: (event) => switched(event.switches),
  clock: (event) => setClock(event.clock),
}, (isGone) => { document.getElementById("gone").hidden = !isGone; });

// For scripts/test-page.
globalThis.counterbox = { heard };
