// The way to the counter: its events as they come, and orders in the order they were given.

const retry = 1500; // ms

/// Connects, and again whenever the counter comes back; the first event is always a snapshot.
///
/// on: functions by the event's name. onGone: called with whether the counter is away.
export function listen(on, onGone) {
  const events = new EventSource("/events");
  events.onopen = () => onGone(false);
  events.onmessage = (message) => {
    const event = JSON.parse(message.data);
    on[event.event]?.(event);
  };
  events.onerror = () => {
    onGone(true);
    if (events.readyState !== EventSource.CLOSED) return;
    setTimeout(() => listen(on, onGone), retry);
  };
}

let last = Promise.resolve();

/// Posts an order after all that were given before it: a key must not come up before it went down.
///
/// Returns why it could not be done; an empty text where it was.
export function order(what) {
  const answer = last.then(() => post(what));
  last = answer;
  return answer;
}

async function post(what) {
  try {
    // A key that comes up as the page goes must still come up; browsers keep only small requests alive.
    const answer = await fetch("/do", {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(what),
      keepalive: what.do === "release",
    });
    return answer.ok ? "" : (await answer.json()).error;
  } catch {
    return "…";
  }
}
