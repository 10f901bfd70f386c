"""Run by scripts/test-card: what becomes of a system in which the box comes up, or does not (counterbox-trial)."""

import os
import subprocess
import sys
import tempfile

SCRIPT = "packaging/image/counterbox-trial"

# The system's programs as the trial sees them: each call is noted, time does not pass, and the box is as `up` says, look by look.
PROGRAMS = {
    "systemctl": """#!/bin/sh
case $* in
    "-q is-active"*) [ "$(cut -c 1 up)" = y ] && now=0 || now=1
        # The last look stays.
        [ "$(wc -c <up)" = 1 ] || { tail -c +2 up >rest; mv rest up; }
        exit $now ;;
    *) echo "systemctl $*" >>calls ;;
esac
""",
    "sleep": "#!/bin/sh\n",
    "counterbox-boot": """#!/bin/sh
case $1 in
    get-current) echo B ;;
    show) echo "$ORDER, A $OTHER, B $LEFT" ;;
    *) echo "counterbox-boot $*" >>calls ;;
esac
""",
    "counterbox-notice": """#!/bin/sh
echo "counterbox-notice $*" >>calls
""",
}

# Up at each look, tries left, what is done; order and tries of the other system, where they are not the usual.
CASES = [
    ("y", 2, "counterbox-boot set-state B good", 0, "a system in which the box comes up is good"),
    ("nnnny", 2, "counterbox-boot set-state B good", 0, "so is one in which it takes its time"),
    ("n", 2, "systemctl --no-block reboot", 1, "a new one in which it does not come up starts anew"),
    ("yn", 0, "systemctl --no-block reboot", 1, "so does one in which it falls again"),
    ("n", 8, "", 1, "one that was good before stays up, for a technician"),
    ("y", 8, "counterbox-boot set-state B good\ncounterbox-notice system A did not come up; the box fell back to system B", 0,
     "that the box fell back is kept for its log", "A B", 0),
    ("y", 8, "counterbox-boot set-state B good", 0, "once: not where the other one is out already", "B", 0),
]


def main():
    for up, left, wanted, status, words, *other in CASES:
        order, other_left = other or ("B A", 9)
        with tempfile.TemporaryDirectory() as folder:
            for name, text in PROGRAMS.items():
                with open(f"{folder}/{name}", "w") as file:
                    file.write(text)
                os.chmod(f"{folder}/{name}", 0o755)
            with open(f"{folder}/up", "w") as file:
                file.write(up)
            environment = {"PATH": f"{folder}:{os.environ['PATH']}", "COUNTERBOX_TOOLS": folder, "LEFT": str(left),
                           "ORDER": order, "OTHER": str(other_left)}
            done = subprocess.run([os.path.abspath(SCRIPT)], cwd=folder, env=environment, capture_output=True, text=True, check=False)
            calls = open(f"{folder}/calls").read().strip() if os.path.exists(f"{folder}/calls") else ""
            if (calls, done.returncode) != (wanted, status):
                print(f"FAILED  {words}: {calls!r}, status {done.returncode}\n{done.stdout}{done.stderr}", flush=True)
                sys.exit(1)
            print(f"ok      {words}", flush=True)


if __name__ == "__main__":
    main()
