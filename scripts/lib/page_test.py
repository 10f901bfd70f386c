"""What a visitor does on the virtual counter's page, in a real browser. scripts/test-page runs it."""

import argparse
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time

from browser import Browser, BrowserError

BUSY = "document.getElementById('light-words').textContent"
WORDS = "document.getElementById('words').textContent"
PAPERS = "[...document.querySelectorAll('#torn pre')].map((p) => p.textContent.replaceAll(' ', ''))"
SCREEN = "document.getElementById('screen').textContent"
HEARD = "counterbox.heard.samples"
PUSHES = "document.getElementById('pushes').textContent"


def step(words):
    print(f"ok  {words}", flush=True)


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


class Counter:
    """A counter with a state of its own on ports of its own."""

    def __init__(self, program, folder):
        config = os.path.join(folder, "box.json5")
        self.key = os.path.join(folder, "state", "box.key")
        self.address = f"127.0.0.1:{free_port()}"
        with open(config, "w") as file:
            json.dump({"box": "counter-1", "state": os.path.join(folder, "state"),
                       "push": {"mode": "listen", "address": self.address}}, file)
        self.process = subprocess.Popen(
            [program, "run", "--config", config, "--port", "0"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.url = None
        for line in self.process.stdout:
            found = re.match(r"page +(http://\S+)", line)
            if found:
                self.url = found[1]
                break
        if not self.url:
            raise BrowserError("the counter does not start")
        # Its tale goes on: nobody may block it.
        subprocess.Popen(["cat"], stdin=self.process.stdout, stdout=subprocess.DEVNULL)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(15)


def language(page, name):
    if page.evaluate("document.documentElement.lang") != name:
        page.click("#language")
    page.wait("the language", f"document.documentElement.lang === '{name}'")


def visit(page, url):
    page.show(url)
    page.wait("the snapshot", "document.getElementById('about')?.textContent.includes('counter-1')")
    language(page, "en")
    page.wait("a box that is ready", f"{BUSY}.startsWith('ready')")
    page.wait("a printer that is ready", "document.getElementById('printer-words').textContent === 'ready'")
    step("the page shows a box that is ready")


def pay(page):
    page.evaluate("document.getElementById('amount').value = ''")
    page.click("#amount")
    page.type("88.60")
    # Every edge of the light, and every line on paper, from now on.
    page.evaluate(
        "window.edges = 0; new MutationObserver(() => window.edges++).observe(document.getElementById('lamp'),"
        " {attributes: true}); window.heights = []; new MutationObserver(() => window.heights.push("
        "document.querySelector('#paper svg')?.viewBox.baseVal.height ?? 0)).observe("
        "document.getElementById('paper'), {childList: true})")
    before = page.evaluate(HEARD)
    page.click("#go")
    page.wait("the light to blink fast", f"{BUSY}.startsWith('busy (fast blink)')")
    page.wait("the words", f"{WORDS} === '微信收款，八十八点六元'")
    page.wait("a receipt that is cut off", f"{PAPERS}.length === 1")
    heights = page.evaluate("window.heights")
    if len(heights) < 4 or heights[:-1] != sorted(heights[:-1]):
        raise BrowserError(f"the receipt did not grow line by line: {heights}")
    page.wait("the outcome", f"{PUSHES}.includes('done · spoken · printed')")
    paper = page.evaluate(PAPERS)[0]
    if "微信收款" not in paper or "￥88.60" not in paper:
        raise BrowserError("the receipt is another: " + paper)
    drawn = page.evaluate("document.querySelector('#torn svg').textContent")
    if "微信收款" not in drawn:
        raise BrowserError("the drawing is another: " + drawn)
    step("a payment is spoken, printed and told")
    page.wait("the light to be steady", f"{BUSY} === 'ready (steady)'")
    if page.evaluate("window.edges") < 10:
        raise BrowserError("the light did not blink as the box's does")
    step("the light blinked and is steady again")
    if page.evaluate(HEARD) - before < 24_000:
        raise BrowserError("less than a second of sound came")
    page.wait("the speaker to be on", "document.getElementById('sound').getAttribute('aria-pressed') === 'true'")
    step("the samples came to the browser's speaker")


def press(page):
    before = len(page.evaluate(PAPERS))
    page.click("#button")
    page.wait("a receipt again", f"{PAPERS}.length === {before + 1} && {PAPERS}[0].includes('补打')")
    step("a click on the key prints the last receipt again, marked")
    place = page.middle("#button")
    page.mouse("mousePressed", place)
    page.wait("the box to say how it is", f"{WORDS}.includes('八十八点六元') && !{WORDS}.startsWith('微信')")
    page.mouse("mouseReleased", place)
    page.wait("silence", f"{BUSY} === 'ready (steady)'")
    step("the key held for 3 s says how the box is")
    page.evaluate("document.getElementById('button').focus()")
    twice(page)
    step("two presses of the space bar say the last payment again, marked")


def twice(page, tries=5):
    """On a machine that is busy the second press may come too late: then it is tried again."""
    for _ in range(tries):
        for _ in range(2):
            page.key("keyDown", " ", 32)
            page.key("keyUp", " ", 32)
        try:
            page.wait("the last payment again", f"{WORDS} === '补报，微信收款，八十八点六元'", 4)
            return page.wait("silence", f"{BUSY} === 'ready (steady)'")
        except BrowserError:
            page.wait("silence", f"{BUSY} === 'ready (steady)'")
    raise BrowserError("two presses do not say the last payment again")


def trouble(page):
    page.click("#switch-paper")
    page.click("#go")
    page.wait("the light to ask for paper", f"{BUSY}.startsWith('the printer needs you (double blink)')")
    before = page.evaluate("document.querySelector('#torn article').dataset.number")
    page.click("#switch-paper")
    page.wait("the receipt after all", f"document.querySelector('#torn article').dataset.number - {before} === 1")
    page.wait("silence", f"{BUSY} === 'ready (steady)'")
    page.wait("the outcome", f"{PUSHES}.match(/done · spoken · printed/g)?.length === 2")
    step("a receipt waits for paper and comes out when it is there")
    page.evaluate("[...document.querySelectorAll('#sample-list button')].find((b) => b.textContent === 'bad amount').click()")
    page.wait("a refusal", f"{PUSHES}.includes('refused · bad-amount')")
    step("a bad amount is refused by its name")


def network(page):
    page.click("#switch-cable")
    page.wait("the light to tell of no hub", f"{BUSY} === 'no hub (slow blink)'")
    page.click("#go")
    page.wait("a push that waits", f"{PUSHES}.includes('on its way')")
    page.click("#switch-cable")
    page.wait("the outcome", f"{PUSHES}.match(/done · spoken · printed/g)?.length === 3")
    page.wait("silence", f"{BUSY} === 'ready (steady)'")
    step("a payment waits for the network cable")
    page.evaluate("(() => { const c = document.getElementById('choose-clock'); c.value = 'lost';"
                  " c.dispatchEvent(new Event('change')); })()")
    page.wait("1970", "document.getElementById('clock-words').textContent.match(/^1970-.*not set/)")
    page.evaluate("(() => { const c = document.getElementById('choose-clock'); c.value = 'right';"
                  " c.dispatchEvent(new Event('change')); })()")
    page.wait("today", "document.getElementById('clock-words').textContent.startsWith('20')")
    step("the box's clock can be lost and found")


def plug(page):
    page.click("#go")
    page.wait("a phrase under way", f"{BUSY}.startsWith('busy') && {PUSHES}.includes('kept on disk')")
    page.click("#switch-plug")
    page.wait("a dark box", "document.getElementById('box').classList.contains('off')"
              " && document.getElementById('lamp').style.getPropertyValue('--lit') === '0'")
    step("the plug is pulled in the middle of a phrase")
    page.click("#switch-plug")
    page.wait("the phrase again, marked", f"{WORDS} === '补报，微信收款，八十八点六元'")
    page.wait("the outcome", f"{PUSHES}.match(/done · spoken · printed/g)?.length === 4")
    step("it goes on where it was, and says that it repeats")
    page.evaluate("[...document.querySelectorAll('#commands button')].find((b) => b.textContent === 'pushes').click()")
    page.wait("the journal", f"{SCREEN}.match(/desk-[0-9a-f]{{12}}/g)?.length === 4")
    step("the journal holds every payment")


def stranger(page, counter):
    hub = os.path.join(os.path.dirname(__file__), "../../docs/examples/hub.py")
    body = '{"kind":"payment","amount":"7.00","channel":"cash"}'
    subprocess.run([sys.executable, "-B", hub, counter.key, counter.address, body], stdout=subprocess.DEVNULL, check=True,
                   timeout=30)
    page.wait("another hub's push", f"{PUSHES}.includes('7.00 Cash') && {WORDS} === '现金收款，七元'")
    step("what another hub pushes is shown, too")


def others(page):
    page.show(page.evaluate("location.href"))
    page.wait("the state anew", f"{PAPERS}.length >= 4 && {PUSHES}.includes('88.60')")
    step("a page that is loaded anew shows what was")
    language(page, "zh-CN")
    page.wait("Chinese", "document.getElementById('go').textContent === '付款'")
    step("the page speaks Chinese")
    language(page, "en")


def pictures(page, folder):
    os.makedirs(folder, exist_ok=True)
    page.show(None, 1280, 884)
    page.click("#switch-slow")
    page.evaluate("scrollTo(0, 0); document.querySelectorAll('#sample-list button')[2].click()")
    page.wait("a receipt half out", "document.querySelector('#paper svg')?.textContent.includes('合计')")
    page.wait("a steady light", f"{BUSY} === 'ready (steady)'")
    page.evaluate("scrollTo(0, 0)")
    page.picture(os.path.join(folder, "counter.png"), whole=False)
    page.click("#switch-slow")
    page.wait("silence", f"{BUSY} === 'ready (steady)'")
    for width in (1280, 390):
        for dark in (False, True):
            for name in ("en", "zh-CN"):
                page.show(None, width, 940, dark)
                language(page, name)
                page.evaluate("scrollTo(0, 0)")
                wide = page.evaluate("document.documentElement.scrollWidth")
                if wide > width:
                    raise BrowserError(f"the page is {wide} pixels wide on a window of {width}")
                time.sleep(0.3)
                page.picture(os.path.join(folder, f"{width}-{'dark' if dark else 'light'}-{name}.png"))
    step(f"nothing is wider than the window at 1280 and 390 pixels; pictures are in {folder}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--pictures", metavar="FOLDER")
    words = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="counterbox-page-") as folder:
        counter = Counter(words.program, folder)
        try:
            with Browser() as browser:
                page = browser.page()
                try:
                    visit(page, counter.url)
                    pay(page)
                    press(page)
                    trouble(page)
                    network(page)
                    plug(page)
                    stranger(page, counter)
                    others(page)
                    if words.pictures:
                        pictures(page, words.pictures)
                except BrowserError:
                    page.picture(os.path.join(tempfile.gettempdir(), "counterbox-page-failed.png"))
                    raise
                if page.complaints:
                    raise BrowserError("the browser complains: " + "; ".join(page.complaints))
                step("the browser has nothing to complain about")
        finally:
            status = counter.stop()
        if status != 0:
            raise BrowserError(f"the counter ended with {status}")
        step("the counter stops when it is told to")


if __name__ == "__main__":
    try:
        main()
    except BrowserError as error:
        sys.exit(f"test-page: {error}")
