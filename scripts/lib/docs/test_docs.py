"""Every command, setting and link of the pages, tried. scripts/test-docs says how a page names its blocks."""

import argparse
import fcntl
import json
import os
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time

import console
import pages
import programs
import settings
from reader import Reader

# Why a block of `sh` cannot be run by a test.
REASONS = ["root", "board", "card", "bluetooth", "printer", "minutes", "itself"]
# Where a box listens.
PORT = 7788
# A changelog speaks of what was, too.
PAST = ["CHANGELOG.md"]
PATH = re.compile(r"(Sources|Tests|docs|scripts|board|Resources|packaging)(/[\w.-]+)+/?$")
PART = re.compile(r"([A-Z]\w+)/((?:\w+/)*)([A-Z]\w+)$")
TYPE = re.compile(r"([A-Z][a-z]+[A-Z]\w*)(\.[a-z]\w*)?$")


def step(words):
    print(f"ok  {words}", flush=True)


class Docs:
    def __init__(self, root, build):
        self.root, self.build, self.faults = root, build, []
        os.environ["PATH"] = f"{build}:{os.environ['PATH']}"
        self.files = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=root, check=True, capture_output=True,
            text=True).stdout.split("\n")
        self.pages = pages.find(root, [path for path in self.files if os.path.exists(f"{root}/{path}")])
        self.programs = programs.Programs(root, build)
        self.faults += self.programs.faults + [fault for page in self.pages for fault in page.faults]
        sources = [path for path in self.files if path.startswith(("Sources/", "Tests/", "packaging/", "scripts/"))]
        self.sources = sources
        self.words = {part for path in sources for part in path.split("/")}
        for path in sources:
            try:
                with open(f"{root}/{path}", encoding="utf-8") as file:
                    self.words |= set(re.findall(r"\w+", file.read()))
            except (UnicodeDecodeError, OSError):
                pass  # a sound, or a file that is gone

    def fault(self, place, words):
        if words:
            self.faults.append(f"{place}: {words}")

    def page(self, path):
        return next(page for page in self.pages if page.path == path)

    # What stands in the text.

    def links(self):
        count, faults = pages.link_faults(self.root, self.pages)
        self.faults += faults
        step(f"{count} links and pictures lead somewhere")

    def codes(self, known_settings, usages):
        count = 0
        for page in self.pages:
            for line, code in page.codes:
                if page.path not in PAST:
                    count += 1
                    self.fault(f"{page.path}:{line}", self._code_fault(page, code, known_settings, usages))
        for page in self.pages:
            for variable in set(re.findall(r"\bCOUNTERBOX_[A-Z_]+\b", "\n".join(page.lines))):
                if variable not in self.words and page.path not in PAST:
                    self.fault(page.path, f"nothing reads {variable}")
        step(f"{count} words in code are what they say")

    def _code_fault(self, page, code, known_settings, usages):
        words = code.split()
        if words and words[0] in usages and len(words) > 1 and "`" not in code:
            return self._console_fault(code, words, usages)
        if re.match(r"(sudo (-u \w+ )?)?(([A-Z_]+=\S* )?scripts/[\w-]+( |$)|\.build/|counter(box|desk) [a-z])", code):
            return self.programs.fault(code.replace("'", ""))
        if re.match(r"(python3|bash|java) docs/", code):
            return self.programs.fault(code)
        if settings.INLINE.match(code) and "…" not in code and "board" not in page.path:
            return known_settings.fault("{ " + code + " }")
        if settings.NAME.match(code) and not code.endswith(".json"):
            return known_settings.name_fault(code)
        if PATH.match(code) and not re.search("NN|NAME", code):
            below = os.path.join(os.path.dirname(page.path), code)
            return None if any(os.path.exists(f"{self.root}/{path}") for path in (code, below)) else "there is no such file"
        if PART.match(code):
            return self._part_fault(PART.match(code))
        if TYPE.match(code):
            kind = TYPE.match(code)
            missing = [word for word in (kind[1], (kind[2] or "")[1:]) if word and word not in self.words]
            return f"{code}: no source has {missing[0]}" if missing else None
        return None

    def _part_fault(self, part):
        """`PushProtocol/BoxSession`: a file of a target."""
        for path in self.sources:
            if path.startswith((f"Sources/{part[1]}/", f"Tests/{part[1]}/")) and f"/{part[2]}{part[3]}" in path:
                return None
        return f"{part[0]}: there is no such file in the sources"

    def _console_fault(self, code, words, usages):
        """`printer pair`: at the console, or with counterbox before it."""
        name, second = words[0], words[1]
        verbs = self.programs.verbs["counterbox"]
        if name in verbs or " ".join(words[:2]) in verbs:
            if self.programs.verb_fault("counterbox", words) is None:
                return None
        literal = re.findall(r"(?<![\w-])[a-z]+(?![\w-])", usages[name])[1:]
        if re.fullmatch(r"[a-z]+", second) and second not in literal and not re.search(r"TEXT|ID|AMOUNT|COMMAND", usages[name]):
            return f"{code}: the console has `{usages[name]}`"
        return None

    def complete(self, usages):
        """What the programs can is on a page."""
        text = "\n".join("\n".join(page.lines) for page in self.pages if page.path not in PAST)
        for program, verbs in self.programs.verbs.items():
            for verb in verbs:
                if verb != "version" and not re.search(rf"\b{program} {verb}\b", text):
                    self.fault("docs", f"no page has `{program} {verb}`")
        named = set(re.findall(r"[\w-]+", "\n".join(code for _, code in self.page("README.md").codes)))
        for name in self.programs.scripts:
            if name not in named:
                self.fault("README.md", f"scripts/{name} is not in its table")
        targets = {path.split("/")[1] for path in self.files if path.startswith("Sources/")}
        for target in sorted(targets):
            if target not in named and not re.match(r"C[A-Z]", target):
                self.fault("README.md", f"Sources/{target} is not in its table")
        step(f"every verb, script and target, and the console's {len(usages)} commands, are on a page")

    # What is typed.

    def blocks(self, reader, known_settings, page):
        """A page from its top, as its reader goes."""
        output = None
        for fence in page.fences:
            before, output = output, None
            if fence.language == "sh":
                output = self._shell(reader, fence)
            elif fence.language == "output":
                self.fault(fence.place, self._output_fault(before, fence.text))
            elif fence.language == "json5":
                is_setup = fence.file == "counterbox-setup.json5"
                self.fault(fence.place, (known_settings.setup_text_fault if is_setup else known_settings.fault)(fence.text))
            elif fence.language == "text":
                typed = re.search(r"^\s*(\$ |\.build/|scripts/|counter(box|desk) +[a-z]+ (--|\S+\.))", fence.text, re.M)
                if typed:
                    self.fault(fence.place, f"a command in a block of text: {typed[0].strip()}")
            elif fence.language == "json":
                try:
                    json.loads(fence.text)
                except ValueError as error:
                    self.fault(fence.place, f"it is no JSON: {error}")
            if fence.file:
                reader.keep(fence)
        reader.end_staying()

    def _shell(self, reader, fence):
        for line in re.sub(r"\\\n", " ", fence.text).splitlines():
            self.fault(fence.place, self.programs.fault(line))
        how = dict(zip(fence.words[::2], fence.words[1::2]))
        if len(fence.words) % 2 or not set(how) <= {"stays", "needs", "not-run"}:
            self.fault(fence.place, f"{' '.join(fence.words)}: it is stays WORD, needs TOOL or not-run REASON")
        elif "not-run" in how:
            self.fault(fence.place, None if how["not-run"] in REASONS else f"the reason is one of {', '.join(REASONS)}")
        elif "needs" in how and not shutil.which(how["needs"]):
            print(f"    left out, there is no {how['needs']}: {fence.place}")
        elif "stays" in how:
            self.fault(fence.place, reader.stay(fence.text, how["stays"]))
        else:
            output, why = reader.run(fence.text)
            self.fault(fence.place, why)
            return output
        return None

    @staticmethod
    def _output_fault(said, shown):
        """`…` stands for anything within a line; a page may leave out how it goes on."""
        if said is None:
            return "output of nothing: the block before is not run"
        said = [line.rstrip() for line in said.splitlines()]
        shown = [line.rstrip() for line in shown.splitlines()]
        for line, text in enumerate(shown):
            pattern = ".*".join(re.escape(part) for part in text.split("…"))
            if line >= len(said) or not re.fullmatch(pattern, said[line]):
                return f"line {line + 1} is {said[line] if line < len(said) else 'not there'!r}, not {text!r}"
        return None


def bodies(docs):
    """Bodies of pushes that the pages show, with their places."""
    for page in docs.pages:
        for fence in page.fences:
            if fence.language == "json" and not fence.file:
                yield fence.place, fence.text
        for line, code in page.codes:
            if code.startswith(('{"kind"', '{"aps"')):
                yield f"{page.path}:{line}", code


def prepare_fleet(reader):
    """What the page of a fleet's server begins with: a copy of its folder, and a certificate, here for localhost."""
    reader.places |= {"/etc/counterbox-fleet/": "", "/var/lib/counterbox-fleet": f"{reader.folder}/tmp/fleet",
                      "HOST:": "localhost:", "0.0.0.0": "127.0.0.1"}
    for name in ("nats-server.conf", "operators.conf"):
        with open(f"{reader.project}/Resources/fleet/{name}", encoding="utf-8") as file:
            text = reader.placed(file.read())
        with open(f"{reader.project}/{name}", "w", encoding="utf-8") as file:
            file.write(text)
    return reader.run("""openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost \
        -addext subjectAltName=DNS:localhost -keyout server.key -out server.pem
        cp server.pem ca.pem""")[1]


# What has to be there before a page begins.
PREPARED = {"Resources/fleet/README.md": prepare_fleet}


def at_the_console(docs, reader):
    """The box with a terminal: its commands, and the bodies that it takes. Gives the usage of each command."""
    box = console.Box(reader, PORT)
    try:
        results = box.push("--id", "push-1", '{"kind":"payment","amount":"1"}')
        if [result["state"] for result in results] != ["accepted", "done"]:
            docs.fault("the console's box", f"a push ends with {results}")
        usages = box.usages()
        technician = docs.page("docs/technician.md")
        forms = [
            ("docs/technician.md", form) for row in technician.table("## The commands")[1:]
            for form in re.findall(r"`([^`]+)`", row[0])]
        for page in docs.pages:
            forms += [
                (fence.place, re.split(r"  +", line)[0]) for fence in page.fences if fence.language == "console"
                for line in fence.text.splitlines() if line]
        docs.faults += console.check(box, forms, usages)
        subjects = {code for row in technician.table("## Doctor") for code in re.findall(r"`(\w+)`", row[0])}
        for subject in re.findall(r"^(?:FAULT|note|ok) +(\w+):", box.type("doctor"), re.M):
            docs.fault("docs/technician.md", None if subject in subjects else f"the doctor's `{subject}` is not there")
        step(f"the console knows the {len(forms)} forms of the pages")
        shown = list(bodies(docs))
        for place, body in shown:
            results = box.push("--timeout", "20", re.sub(r"\s*\n\s*", " ", body))
            if not results or results[0]["state"] != "accepted":
                docs.fault(place, f"the box does not take it: {results}")
        step(f"the box takes the {len(shown)} bodies of the pages")
        docs.faults += console.restart(box)
    finally:
        box.close()
    return usages


def open_loopback():
    """In a new namespace it is down; elsewhere it is up and nobody may change it."""
    with socket.socket() as any_socket:
        try:
            flags = 0x1 | 0x40  # IFF_UP, IFF_RUNNING
            fcntl.ioctl(any_socket, 0x8914, struct.pack("16sh14x", b"lo", flags))  # SIOCSIFFLAGS
        except PermissionError:
            pass


def main():
    options = argparse.ArgumentParser()
    options.add_argument("root")
    options.add_argument("build")
    options.add_argument("pages", nargs="*", help="the blocks of these alone")
    options = options.parse_args()
    began = time.monotonic()
    open_loopback()
    docs = Docs(options.root, os.path.realpath(options.build))
    with tempfile.TemporaryDirectory(prefix="counterbox-docs-") as folder:
        def reader(name):
            return Reader(docs.root, docs.build, f"{folder}/{name.replace('/', '-')}")

        known_settings = settings.Settings(reader("settings"))
        docs.links()
        usages = at_the_console(docs, reader("console"))
        docs.codes(known_settings, usages)
        docs.complete(usages)
        example = "docs/counterbox-setup.example.json5"
        docs.fault(example, known_settings.setup_fault(f"{docs.root}/{example}"))
        voice, configuration = docs.page("docs/voice.md"), docs.page("docs/configuration.md")
        docs.faults += settings.missing(docs.root, [configuration, voice]) + settings.style_faults(voice)
        for page in docs.pages:
            if any(fence.language in ("sh", "json5") for fence in page.fences) and page.path in (options.pages or [page.path]):
                its_reader = reader(page.path)
                if page.path in PREPARED:
                    docs.fault(page.path, PREPARED[page.path](its_reader))
                docs.blocks(its_reader, known_settings, page)
                step(f"{page.path}: its blocks, {time.monotonic() - began:.0f} s")
    for fault in docs.faults:
        print(f"FAULT {fault}", flush=True)
    return 1 if docs.faults else 0


if __name__ == "__main__":
    sys.exit(main())
