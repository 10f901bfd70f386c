"""A headless Chromium, driven by its own DevTools protocol over a WebSocket (RFC 6455). Standard library alone."""

import base64
import json
import os
import shutil
import socket
import struct
import subprocess
import tempfile
import time
import urllib.parse
import urllib.request


class BrowserError(Exception):
    pass


def find_chromium():
    """The browser's path; None where there is none."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        path = shutil.which(name)
        if path:
            return path
    return None


class WebSocket:
    """A client's end: texts, each whole."""

    def __init__(self, url, timeout):
        place = urllib.parse.urlparse(url)
        self.socket = socket.create_connection((place.hostname, place.port), timeout)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            (
                f"GET {place.path} HTTP/1.1\r\nHost: {place.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
            ).encode()
        )
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            self._fill()
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise BrowserError(head.decode(errors="replace"))

    def _fill(self):
        part = self.socket.recv(1 << 16)
        if not part:
            raise BrowserError("the browser closed the connection")
        self.buffer += part

    def _take(self, count):
        while len(self.buffer) < count:
            self._fill()
        part, self.buffer = self.buffer[:count], self.buffer[count:]
        return part

    def send(self, text, opcode=1):
        data = text.encode() if isinstance(text, str) else text
        mask = os.urandom(4)
        head = bytes([0x80 | opcode])
        if len(data) < 126:
            head += bytes([0x80 | len(data)])
        elif len(data) < 1 << 16:
            head += bytes([0x80 | 126]) + struct.pack(">H", len(data))
        else:
            head += bytes([0x80 | 127]) + struct.pack(">Q", len(data))
        self.socket.sendall(head + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data)))

    def receive(self):
        text = b""
        while True:
            first, length = self._take(2)
            length &= 0x7F
            if length == 126:
                (length,) = struct.unpack(">H", self._take(2))
            elif length == 127:
                (length,) = struct.unpack(">Q", self._take(8))
            data = self._take(length)
            opcode = first & 0x0F
            if opcode == 9:
                self.send(data, 10)
            elif opcode == 8:
                raise BrowserError("the browser closed the connection")
            elif opcode in (0, 1):
                text += data
                if first & 0x80:
                    return text.decode()


class Page:
    """One tab."""

    def __init__(self, url, timeout):
        self.socket = WebSocket(url, timeout)
        self.numbers = 0
        self.complaints = []
        for domain in ("Page", "Runtime", "Log"):
            self.call(domain + ".enable")

    def call(self, method, **parameters):
        self.numbers += 1
        self.socket.send(json.dumps({"id": self.numbers, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.receive())
            self._note(message)
            if message.get("id") == self.numbers:
                if "error" in message:
                    raise BrowserError(f"{method}: {message['error']['message']}")
                return message["result"]

    def _note(self, message):
        method, parameters = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            self.complaints.append(f"{parameters['entry']['text']} {parameters['entry'].get('url', '')}")

    def evaluate(self, script):
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise BrowserError(f"{script}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def wait(self, what, script, seconds=20):
        """Until the script is true; its value."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            value = self.evaluate(script)
            if value:
                return value
            time.sleep(0.01)
        raise BrowserError(f"waited {seconds} s for: {what}")

    def show(self, url, width=1280, height=900, dark=False):
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        if url:
            self.call("Page.navigate", url=url)

    def middle(self, selector):
        return self.evaluate(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView({{block: 'center'}});"
            " const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()"
        )

    def mouse(self, kind, place):
        self.call("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=1)

    def click(self, selector):
        place = self.middle(selector)
        self.mouse("mousePressed", place)
        self.mouse("mouseReleased", place)

    def key(self, kind, name, code):
        self.call("Input.dispatchKeyEvent", type=kind, key=name, code=name if name != " " else "Space",
                  windowsVirtualKeyCode=code)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def picture(self, path, whole=True):
        answer = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        with open(path, "wb") as file:
            file.write(base64.b64decode(answer["data"]))


class Browser:
    """Used in a `with`: the browser goes with it."""

    def __init__(self, timeout=60):
        self.timeout = timeout

    def __enter__(self):
        program = find_chromium()
        if not program:
            raise BrowserError("there is no Chromium: apt-get install chromium")
        self.folder = tempfile.TemporaryDirectory(prefix="counterbox-browser-", ignore_cleanup_errors=True)
        options = [
            "--headless=new", "--remote-debugging-port=0", f"--user-data-dir={self.folder.name}", "--no-first-run",
            "--autoplay-policy=no-user-gesture-required", "--disable-background-networking", "--disable-component-update",
            "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--lang=en-US", "--mute-audio",
        ]
        # Its sandbox does not work for root.
        if os.geteuid() == 0:
            options.append("--no-sandbox")
        self.process = subprocess.Popen(
            [program, *options, "about:blank"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.folder.cleanup()

    def page(self):
        port = self._port()
        request = urllib.request.Request(f"http://127.0.0.1:{port}/json/new?about:blank", method="PUT")
        with urllib.request.urlopen(request, timeout=self.timeout) as answer:
            return Page(json.load(answer)["webSocketDebuggerUrl"], self.timeout)

    def _port(self):
        path = os.path.join(self.folder.name, "DevToolsActivePort")
        end = time.monotonic() + self.timeout
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise BrowserError(f"the browser ended with {self.process.returncode}")
            try:
                with open(path) as file:
                    return int(file.readline())
            except (FileNotFoundError, ValueError):
                time.sleep(0.05)
        raise BrowserError("the browser does not start")
