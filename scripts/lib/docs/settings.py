"""Settings that the pages show, asked of `counterbox config check`, and the table of styles, asked of `counterbox say`."""

import json
import os
import re

from programs import run

SECTIONS = ["push", "voice", "speaker", "printer", "light", "console"]
NAME = re.compile(rf"({'|'.join(SECTIONS)})((\.[a-zA-Z]+)+)$")
INLINE = re.compile(rf"({'|'.join(SECTIONS)}): \{{.*\}}$")


class Settings:
    def __init__(self, reader):
        self.reader, self.known = reader, {}

    def fault(self, text):
        """What `config check` says of a configuration; None where it can be used as it stands."""
        path = f"{self.reader.folder}/shown.json5"
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.reader.placed(text))
        answer = run(["counterbox", "config", "check", "--board", "desktop", path], env=self.reader.environment)
        said = (answer.stdout + answer.stderr).strip()
        return None if said == "the configuration can be used" else said.replace(path, "line")

    def setup_text_fault(self, text):
        path = f"{self.reader.folder}/counterbox-setup.json5"
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return self.setup_fault(path)

    def setup_fault(self, path):
        folder = f"{self.reader.folder}/setup"
        os.makedirs(folder, exist_ok=True)
        answer = run(["counterbox", "setup", path, folder], env=self.reader.environment)
        return None if answer.returncode == 0 else (answer.stdout + answer.stderr).strip()

    def name_fault(self, name):
        """A name is known where its null, which says nothing, is."""
        if name not in self.known:
            value = None
            for part in reversed(name.split(".")):
                value = {part: value}
            self.known[name] = self.fault(json.dumps(value))
        return self.known[name]


# How the firmware asks for a setting, and where.
ASKED = re.compile(r'\.(?:read|text|path|choice|integer|bool|value|section)\("(\w+)"|readSection\("(\w+)"')
READERS = ["Sources/BoxSettings/SettingsReader.swift", "Sources/BoxSettings/PushDraft.swift"]


def missing(root, pages):
    """Settings that the firmware asks for and that none of these pages has."""
    asked = set()
    for path in READERS:
        with open(os.path.join(root, path), encoding="utf-8") as file:
            asked |= {first or second for first, second in ASKED.findall(file.read())}
    shown = set(re.findall(r"\w+", " ".join(code for page in pages for _, code in page.codes)))
    faults = [f"{pages[0].path}: the setting {name} is not there" for name in sorted(asked - shown)]
    return faults if len(asked) > 30 else [f"{READERS}: the settings are not found: {sorted(asked)}"]


def style_faults(page):
    """The table of styles in docs/voice.md, against what the box says."""
    rows, faults = page.table("## Styles"), []
    head, rows = rows[0], rows[1:]
    for column, title in enumerate(head[1:], 1):
        two, decimals = re.findall(r"`(\w+)`", title)
        words = ["counterbox", "say", "--words", "--bare", "--two", two, "--decimals", decimals]
        for row in rows:
            amount, *currency = row[0].split()
            said = run(words + (["--currency", currency[0]] if currency else []) + [amount]).stdout.strip()
            if said != row[column]:
                faults.append(f"{page.path}: {row[0]} with {title}: the box says {said}, the page {row[column]}")
    return faults if rows else [f"{page.path}: the table of styles is not found"]
