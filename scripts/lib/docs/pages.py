"""Markdown as the tests of the docs need it: fenced blocks, code within text, links, headings."""

import os
import re
import sys

FENCE = re.compile(r"```(\S*) *(.*)$")
# What a page may have in a fence; scripts/test-docs says what each means.
LANGUAGES = ["sh", "output", "console", "json5", "json", "receipt", "text"]


class Fence:
    def __init__(self, page, line, language, words):
        self.page, self.line, self.language, self.words = page, line, language, words
        self.text = ""

    @property
    def place(self):
        return f"{self.page.path}:{self.line}"

    @property
    def file(self):
        """The name under which the reader keeps what stands there; None for most."""
        return self.words[0] if self.words and "." in self.words[0] else None


class Page:
    def __init__(self, root, path):
        self.root, self.path = root, path
        with open(os.path.join(root, path), encoding="utf-8") as file:
            self.lines = file.read().split("\n")
        self.fences, self.faults = [], []
        # The lines outside of fences, with the others left empty so that numbers stay.
        self.prose = self._read_fences()
        self.headings = {slug for slug in self._slugs()}

    def fault(self, line, words):
        self.faults.append(f"{self.path}:{line}: {words}")

    def _read_fences(self):
        prose, fence, before = [], None, ""
        for number, line in enumerate(self.lines, 1):
            mark = FENCE.match(line)
            if fence is None and mark:
                fence = Fence(self, number, mark[1], mark[2].split())
                self.fences.append(fence)
                if mark[1] not in LANGUAGES:
                    self.fault(number, f"a block says what it is: one of {', '.join(LANGUAGES)}")
            elif fence is not None and line == "```":
                fence = None
            elif fence is not None:
                fence.text += line + "\n"
            elif line.startswith("    ") and before == "" and not self._is_in_list(number):
                self.fault(number, "an indented block: put it into a fence that says what it is")
            prose.append("" if fence or mark or line == "```" else line)
            before = line
        if fence is not None:
            self.fault(fence.line, "the block has no end")
        return prose

    def _is_in_list(self, number):
        """A paragraph of a list is indented, too."""
        for line in reversed(self.lines[: number - 1]):
            if line.strip() and not line.startswith("    "):
                return re.match(r" *([-*]|\d+\.) ", line) is not None
        return False

    @property
    def codes(self):
        """Code within text, with its line."""
        text = "\n".join(self.prose)
        for block in re.finditer(r"(?:.+\n?)+", text):
            for code in re.finditer(r"(?<!`)`([^`]+)`(?!`)", block[0]):
                line = text.count("\n", 0, block.start() + code.start()) + 1
                yield line, re.sub(r"\s*\n\s*", " ", code[1]).replace("\\|", "|")

    @property
    def links(self):
        """Where links and pictures lead, with their line."""
        for number, line in enumerate(self.prose, 1):
            for link in re.finditer(r"!?\[[^\]]*\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", line)):
                yield number, link[1]

    def _slugs(self):
        seen = {}
        for line in self.prose:
            heading = re.match(r"#+ +(.*)$", line)
            if heading:
                slug = re.sub(r"[^\w\- ]", "", heading[1].strip().lower()).replace(" ", "-")
                seen[slug] = seen.get(slug, -1) + 1
                yield slug if seen[slug] == 0 else f"{slug}-{seen[slug]}"

    def table(self, heading):
        """The rows of the first table below a heading, the head first; each a list of cells."""
        rows, on = [], False
        for line in self.prose:
            if line == heading:
                on = True
            elif on and line.startswith("|"):
                cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
                if not re.fullmatch(r"-+", cells[0]):
                    rows.append(cells)
            elif on and (rows or line.startswith("#")):
                break
        return rows


def find(root, files):
    return [Page(root, path) for path in files if path.endswith(".md")]


def link_faults(root, pages):
    """How many links and pictures the pages have within `root`, and which of them lead nowhere or out of it."""
    by_path = {page.path: page for page in pages}
    count, faults = 0, []
    for page in pages:
        for line, target in page.links:
            if re.match(r"[a-z]+:", target):
                continue
            count += 1
            path, _, anchor = target.partition("#")
            there = os.path.normpath(os.path.join(os.path.dirname(page.path), path)) if path else page.path
            if there.startswith("..") or not os.path.exists(os.path.join(root, there)):
                faults.append(f"{page.path}:{line}: {target} leads nowhere")
            elif anchor and (there not in by_path or anchor not in by_path[there].headings):
                faults.append(f"{page.path}:{line}: {target}: there is no such heading")
    return count, faults


def main(root):
    """The links of a folder of pages (scripts/lib/release.sh)."""
    files = [os.path.relpath(os.path.join(folder, name), root) for folder, _, names in os.walk(root) for name in names]
    count, faults = link_faults(root, find(root, sorted(files)))
    for fault in faults:
        print(f"FAULT {fault}", flush=True)
    if count == 0:
        print(f"FAULT {root} has no page with a link", flush=True)
    return 1 if faults or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
