#!/bin/bash
# A push over TCP is spoken: the other end of the loopback records a voice, and the box says that it is done.
set -eu
. ./lib.sh
arecord -q -D hw:Loopback,1,0 -f S16_LE -r 48000 -c 2 -d 14 /tmp/heard.wav 2>/tmp/arecord.log & recorder=$!
sleep 1
push '{"kind":"payment","amount":"12.50","channel":"wechat"}' | tee /tmp/results
grep -q '"done"' /tmp/results || { echo "no outcome"; exit 1; }
wait $recorder || { cat /tmp/arecord.log; exit 1; }
python3 - <<'PY'
import array, wave
w = wave.open("/tmp/heard.wav")
samples = array.array("h", w.readframes(w.getnframes()))
rate = w.getframerate() * w.getnchannels()
loud = [max(map(abs, samples[i:i + rate // 20])) > 500 for i in range(0, len(samples), rate // 20)]
seconds = sum(loud) / 20
print(f"a voice of {seconds:.1f} s, peak {max(samples)}")
assert 1.0 < seconds < 8, "nothing was heard"
PY
