#!/usr/bin/env bash
# 70-console-session — a technician's session on a pseudo-terminal with the shipped program: every command, line ends,
# editing, noise, a host that stops reading for a minute while pushes are taken, and what systemd hears meanwhile.
#
# Needs python3 and, in COUNTERBOX or on PATH, the program. Runs anywhere; no devices, no root.
# service: stopped
# beside: the others
exec python3 "$(dirname "$0")/console_session.py"
