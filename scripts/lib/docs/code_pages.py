"""The code's own pages, by docc: one for each target, type and function that another target can use."""

import argparse
import glob
import json
import os
import re
import shutil
import subprocess
import sys

from pages import Page

# Of a type; its members need words only where their names say too little.
KINDS = ["swift.struct", "swift.class", "swift.enum", "swift.protocol", "swift.actor"]
# A parameter that its name explains has no line of its own.
TOLERATED = re.compile(r"warning: Parameter '.*' is missing documentation")
FIRST = "documentation/map/"


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{os.path.basename(words[0])} ends with {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout + done.stderr


class CodePages:
    def __init__(self, root, build, folder, tools):
        self.root, self.build, self.folder, self.tools = root, build, folder, tools
        self.graphs, self.catalogue = f"{folder}/graphs", f"{folder}/Counterbox.docc"
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(self.graphs)
        names = sorted(os.listdir(f"{root}/Sources"))
        self.targets = [name for name in names if not re.match(r"C[A-Z]", name)]

    def extract(self):
        """What each target offers, out of its compiled module."""
        target = json.loads(run(f"{self.tools}/swift", "-print-target-info"))["target"]["unversionedTriple"]
        maps = glob.glob(f"{self.root}/Sources/*/module.modulemap") + glob.glob(f"{self.build}/C*.build/module.modulemap")
        options = [word for path in maps for word in ("-Xcc", f"-fmodule-map-file={path}")]
        options += [word for path in glob.glob(f"{self.root}/Sources/*/include") for word in ("-Xcc", f"-I{path}")]
        for name in self.targets:
            run(f"{self.tools}/swift-symbolgraph-extract", "-module-name", name, "-target", target, "-I",
                f"{self.build}/Modules", "-minimum-access-level", "package", "-skip-synthesized-members",
                "-skip-inherited-docs", "-output-dir", self.graphs, *options)

    def undocumented(self):
        """Types without a comment."""
        for name in self.targets:
            with open(f"{self.graphs}/{name}.symbols.json", encoding="utf-8") as file:
                symbols = json.load(file)["symbols"]
            for symbol in symbols:
                if symbol["kind"]["identifier"] in KINDS and not symbol.get("docComment"):
                    path = symbol["location"]["uri"].removeprefix(f"file://{self.root}/")
                    line = symbol["location"]["position"]["line"] + 1
                    yield f"{path}:{line}: {'.'.join(symbol['pathComponents'])} has no comment for its page"

    def gather(self):
        """The catalogue: its own pages, and one for each target with the README's words on it."""
        shutil.copytree(f"{self.root}/docs/Counterbox.docc", self.catalogue)
        words = {code.removeprefix("Sources/"): text for code, text in self._rows()}
        for name in self.targets:
            with open(f"{self.catalogue}/{name}.md", "w", encoding="utf-8") as file:
                file.write(f"# ``{name}``\n\n{words[name][0].upper()}{words[name][1:]}.\n")

    def _rows(self):
        for cells in Page(self.root, "README.md").table("## Where things are"):
            yield cells[0].strip("`"), cells[1]

    def convert(self):
        """What docc complains of."""
        output = run(
            f"{self.tools}/docc", "convert", self.catalogue, "--additional-symbol-graph-dir", self.graphs, "--output-dir",
            f"{self.folder}/pages", "--fallback-display-name", "Counterbox", "--fallback-bundle-identifier", "counterbox",
            "--fallback-default-module-kind", "Target")
        with open(f"{self.folder}/pages/index.html", "w", encoding="utf-8") as file:
            file.write(f'<!doctype html><meta http-equiv="refresh" content="0; url={FIRST}"><a href="{FIRST}">Counterbox</a>\n')
        complaints = re.split(r"\n(?=warning: |error: )", "\n" + output)[1:]
        return [words.strip() for words in complaints if not TOLERATED.match(words)]


def main():
    options = argparse.ArgumentParser()
    options.add_argument("root")
    options.add_argument("build")
    options.add_argument("folder")
    options.add_argument("tools")
    options = options.parse_args()
    made = CodePages(options.root, options.build, options.folder, options.tools)
    made.extract()
    made.gather()
    faults = list(made.undocumented()) + made.convert()
    for fault in faults:
        print(f"FAULT {fault}", flush=True)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
