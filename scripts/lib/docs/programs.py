"""What the programs and scripts say of themselves, and whether a command line of a page agrees with it."""

import os
import re
import shlex
import subprocess

PROGRAMS = ["counterbox", "counterdesk"]
# What a reader's own system brings. A first word that is neither here nor ours is a mistake.
SYSTEM = set("""apt apt-get aplay bash cat cd chmod cp dmesg dtc echo grep iconv java journalctl man mkdir nats-server openssl
picocom python3 rauc rfkill screen sed sha256sum swift systemctl true""".split())
OPTION = re.compile(r"(?<![\w-])(--?[a-zA-Z][\w-]*)")


def run(words, **more):
    return subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=30, **more)


class Programs:
    def __init__(self, root, build):
        self.root, self.faults = root, []
        self.verbs = {name: self._verbs(os.path.join(build, name)) for name in PROGRAMS}
        names = os.listdir(os.path.join(root, "scripts"))
        self.scripts = {name: self._script(name) for name in sorted(names) if os.path.isfile(f"{root}/scripts/{name}")}

    def _verbs(self, program):
        """The options of each verb, by its name."""
        verbs = {}
        for line in run([program, "help"]).stdout.split("\n"):
            verb = re.match(r"  ([a-z]+(?: [a-z]+)?)  +\S", line)
            if verb:
                text = run([program, *verb[1].split(), "--help"]).stdout
                verbs[verb[1]] = set(OPTION.findall("\n".join(re.findall(r"^  (-.*)$", text, re.M)))) | {"--help"}
        return verbs

    def _script(self, name):
        """The options of a script; those of a verb too, where it hands them on."""
        path = f"{self.root}/scripts/{name}"
        answer = run([path, "--help"])
        if answer.returncode != 0 or not answer.stdout.strip():
            self.faults.append(f"scripts/{name}: --help says nothing: {answer.stderr.strip()[-200:]}")
            return set()
        options = set(OPTION.findall(answer.stdout)) | {"--help"}
        with open(path, encoding="utf-8") as file:
            code = re.sub(r"\A(#.*\n)+", "", file.read())
        # Another program reads them, or Python's own reader of options, whose help says what it takes.
        handed_on = "argparse" in code or re.search(r'^ *exec .*"\$@"', code, re.M)
        for option in sorted(options - {"--help", "-h"}):
            if not handed_on and option not in code and not self._is_of_verb(answer.stdout, option):
                self.faults.append(f"scripts/{name}: --help names {option}, and nothing reads it")
        for program, verb in self._named(answer.stdout):
            options |= self.verbs[program][verb]
        return options

    def _named(self, text):
        """The verbs that a text names."""
        for program in PROGRAMS:
            for verb in self.verbs[program]:
                if re.search(rf"{program} {verb}\b", text):
                    yield program, verb

    def _is_of_verb(self, text, option):
        return any(option in self.verbs[program][verb] for program, verb in self._named(text))

    # A command line.

    def fault(self, line):
        """What is wrong with a line of shell; None where nothing is."""
        try:
            lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;<>(){}")
            lexer.whitespace_split = True
            lexer.commenters = "#"
            words = list(lexer)
        except ValueError as error:
            return f"it is no shell: {error}"
        command = []
        for word in words + [";"]:
            if word and set(word) <= set("|&;(){}"):
                wrong = self._command_fault(command)
                if wrong:
                    return wrong
                command = []
            else:
                command.append(word)
        return None

    def _command_fault(self, words):
        words = self._plain(words)
        if not words:
            return None
        name, rest = words[0], words[1:]
        program = os.path.basename(name)
        if program in PROGRAMS and (name == program or name.startswith(".build/")):
            return self.verb_fault(program, rest)
        if re.match(r"scripts/[\w-]+$", name):
            if name[8:] not in self.scripts:
                return f"there is no {name}"
            return self._options_fault(name, rest, self.scripts[name[8:]])
        if name in SYSTEM:
            missing = [word for word in rest if word.startswith("docs/") and not os.path.exists(f"{self.root}/{word}")]
            return f"there is no {missing[0]}" if missing else None
        return f"{name}: neither ours nor in the list of the system's commands (scripts/lib/docs/programs.py)"

    @staticmethod
    def _plain(words):
        """Without what stands before a command, and where its output goes."""
        words = list(words)
        while words and (re.match(r"[A-Z_]+=", words[0]) or words[0] == "sudo"):
            words = words[3:] if words[:2] == ["sudo", "-u"] else words[1:]
        plain, skip = [], False
        for word in words:
            if skip or set(word) <= set("<>&"):
                skip = not skip
            else:
                plain.append(word)
        return plain

    def verb_fault(self, program, words):
        if not words or words[0] in ("help", "--version", "--help"):
            return None
        for count in (2, 1):
            verb = " ".join(words[:count])
            if len(words) >= count and verb in self.verbs[program]:
                return self._options_fault(f"{program} {verb}", words[count:], self.verbs[program][verb])
        two = any(verb.startswith(words[0] + " ") for verb in self.verbs[program])
        if two and (len(words) == 1 or words[1].startswith("…")):
            return None
        return f"{program} has no verb {' '.join(words[:2])}"

    @staticmethod
    def _options_fault(name, words, options):
        for word in words:
            if word == "--":
                break
            option = re.match(r"\[?(--?[a-zA-Z][\w-]*)", word)
            if option and option[1] not in options:
                return f"{name} has no option {option[1]}"
        return None
