"""
Python's onnxruntime on the texts of local-speed.mjs, which starts this and asks it for one round after the other.

Reads lines of JSON, {"threads": 2, "texts": ["..."]}, and answers each with the seconds that the texts took: tokens, one
run a text, mean, unit length.
"""
import json
import sys
import time

import numpy
import onnxruntime
from tokenizers import Tokenizer

folder, weights, max_tokens = sys.argv[1], sys.argv[2], int(sys.argv[3])
tokenizer = Tokenizer.from_file(f"{folder}/tokenizer.json")
tokenizer.no_padding()
tokenizer.enable_truncation(max_tokens)
sessions = {}


def session_of(threads):
    if threads not in sessions:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
        sessions[threads] = onnxruntime.InferenceSession(f"{folder}/{weights}", options, ["CPUExecutionProvider"])
    return sessions[threads]


def embed(session, text):
    ids = numpy.array([tokenizer.encode(text).ids], dtype=numpy.int64)
    feeds = {"input_ids": ids, "attention_mask": numpy.ones_like(ids), "token_type_ids": numpy.zeros_like(ids)}
    names = {each.name for each in session.get_inputs()}
    [rows] = session.run(["last_hidden_state"], {name: feeds[name] for name in names})
    mean = rows[0].mean(axis=0)
    return mean / numpy.linalg.norm(mean)


for line in sys.stdin:
    asked = json.loads(line)
    session = session_of(asked["threads"])
    embed(session, asked["texts"][0])
    start = time.perf_counter()
    for text in asked["texts"]:
        embed(session, text)
    print(json.dumps(time.perf_counter() - start), flush=True)
