// The frames between the box and its hubs, as they pass. Secrets never come here.

const list = document.getElementById("frames");
const most = 200; // frames shown

function row({ time, line }) {
  const item = document.createElement("li");
  const [way, number, type, ...rest] = line.split(" ");
  const parts = [["time", time], ["way", way === ">" ? "→" : "←"], ["type", type], ["text", rest.join(" ")]];
  for (const [name, text] of parts) {
    const part = document.createElement("span");
    part.className = name;
    part.textContent = text;
    item.append(part);
  }
  item.className = way === ">" ? "sent" : "received";
  item.title = `${number}`;
  return item;
}

export function showFrame(frame) {
  const isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
  list.append(row(frame));
  while (list.children.length > most) list.firstChild.remove();
  if (isAtEnd) list.scrollTop = list.scrollHeight;
}

export function showFrames(frames) {
  list.replaceChildren(...frames.slice(-most).map(row));
  list.scrollTop = list.scrollHeight;
}
