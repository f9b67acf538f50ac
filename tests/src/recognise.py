"""Prints which of the sentences given behind a WAV file it says, or nothing."""

import array
import math
import os
import random
import re
import sys
import tempfile
import wave

import pocketsphinx

RATE = 16000
TAPS = 16


def samples(path):
    """One channel at the recogniser's rate, loud enough, with silence around it."""
    with wave.open(path) as file:
        rate, channels = file.getframerate(), file.getnchannels()
        heard = array.array("h", file.readframes(file.getnframes()))[::channels]
    loudest = max(1, max(abs(sample) for sample in heard))
    made = [it * 23000 / loudest for it in resampled(heard, rate)]
    silence = [0.0] * (RATE // 3)
    # Silence without any noise is nothing that a microphone hears, and confuses the recogniser.
    noise = random.Random(1)
    whole = (int(it + noise.uniform(-3, 3)) for it in silence + made + silence)
    return array.array("h", whole).tobytes()


def resampled(heard, rate):
    """Without what the new rate cannot hold: it would come back as noise."""
    if rate == RATE:
        yield from heard
        return
    cut = min(1.0, RATE / rate)
    for at in range(int(len(heard) * RATE / rate)):
        place = at * rate / RATE
        first, last = max(0, int(place) - TAPS), min(len(heard) - 1, int(place) + TAPS)
        total = 0.0
        for near in range(first, last + 1):
            away = near - place
            angle = math.pi * away * cut
            ripple = math.sin(angle) / angle if angle else 1.0
            window = 0.5 + 0.5 * math.cos(math.pi * away / (TAPS + 1))
            total += heard[near] * ripple * window * cut
        yield max(-32768.0, min(32767.0, total))


def words(sentence):
    return re.sub(r"[^a-z' ]", "", sentence.lower()).strip()


def main():
    path, sentences = sys.argv[1], sys.argv[2:]
    with tempfile.NamedTemporaryFile("w", suffix=".gram", delete=False) as grammar:
        choices = " | ".join(words(sentence) for sentence in sentences)
        grammar.write(f"#JSGF V1.0;\ngrammar heard;\npublic <said> = {choices};\n")
    decoder = pocketsphinx.Decoder(samprate=RATE, loglevel="FATAL", jsgf=grammar.name, lm=None)
    decoder.start_utt()
    decoder.process_raw(samples(path), full_utt=True)
    decoder.end_utt()
    os.unlink(grammar.name)
    heard = decoder.hyp().hypstr.strip() if decoder.hyp() else ""
    print(next((sentence for sentence in sentences if words(sentence) == heard), ""))


main()
