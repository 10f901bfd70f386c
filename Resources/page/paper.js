// The printer: paper that grows out of it line by line, and receipts that were cut off.

import { onLanguage, words } from "./words.js";

const paper = document.getElementById("paper");
const torn = document.getElementById("torn");
const empty = document.getElementById("no-receipts");
const text = document.getElementById("printer-words");
const lamp = document.getElementById("printer-lamp");
const most = 6; // receipts laid down
const good = ["ready", "paper-low", "unknown"];
let report = { state: "connecting" };

/// A drawing as it came from the box's own decoder.
function drawing(svg) {
  const root = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  root.setAttribute("aria-hidden", "true");
  return document.importNode(root, true);
}

/// What hangs out of the printer now; nothing takes it away.
export function growPaper(piece) {
  paper.replaceChildren(...(piece ? [drawing(piece.svg)] : []));
}

export function tearOff(piece) {
  growPaper(null);
  layDown(piece, true);
}

function layDown(piece, isNew) {
  const receipt = document.createElement("article");
  const readable = document.createElement("pre");
  readable.className = "unseen";
  readable.textContent = piece.text;
  receipt.dataset.number = piece.number;
  receipt.append(drawing(piece.svg), readable);
  receipt.classList.toggle("new", isNew);
  label(receipt);
  torn.prepend(receipt);
  while (torn.children.length > most) torn.lastChild.remove();
  empty.hidden = true;
}

const label = (receipt) => receipt.setAttribute("aria-label", `${words.receipt} ${receipt.dataset.number}`);

export function showPapers(papers, hanging) {
  torn.replaceChildren();
  empty.hidden = papers.length > 0;
  for (const piece of papers) layDown(piece, false);
  growPaper(hanging);
}

export function showPrinter(change) {
  report = { ...report, ...change };
  text.textContent = words.printers[report.state] ?? report.words;
  lamp.classList.toggle("on", good.includes(report.state));
}

export function showSwitches(switches) {
  document.getElementById("printer-cover").classList.toggle("open", switches.cover);
  lamp.classList.toggle("off", !switches.printer);
}

onLanguage(() => {
  showPrinter({});
  for (const receipt of torn.children) label(receipt);
});
