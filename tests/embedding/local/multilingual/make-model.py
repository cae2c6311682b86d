"""
Makes a tiny model with the architecture of Xenova/multilingual-e5-small, and the vectors that it must give.

    python3 -m venv VENV && VENV/bin/pip install torch transformers tokenizers sentencepiece protobuf onnx
    VENV/bin/python tests/embedding/local/multilingual/make-model.py
    npx biome format --write tests/embedding/local/multilingual

A BERT encoder of two layers gets random weights and a Unigram tokenizer in the form of XLM-RoBERTa's tokenizer.json,
trained on the sentences of texts.json. The vectors come from the tokenizers and transformers packages as the card of the
model describes: prefix, at most 512 tokens, mean by the attention mask, unit length. They are computed in one padded
batch. The ONNX graph is built independently of them, node by node (tests/bench/make-local-model.py).

The file was made with torch 2.15.0, transformers 5.24.0, tokenizers 0.23.3, sentencepiece 0.2.3 and onnx 1.23.2.
"""
import base64
import importlib.util
import io
import json
import struct
import tempfile
from pathlib import Path

import onnx
import sentencepiece
import torch
from sentencepiece import sentencepiece_model_pb2
from tokenizers import Tokenizer
from transformers import BertConfig, BertModel

HERE = Path(__file__).parent
OUT = HERE / "multilingual-e5-small"  # The name of the folder determines the prefixes
TEXTS = json.loads((HERE / "texts.json").read_text())
PREFIXES = {"query": "query: ", "document": "passage: "}
WIDTH, MAX_TOKENS, PAD = 32, 512, 1


def train(**options):
    written = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(TEXTS["training"] * 3), model_writer=written, vocab_size=400, hard_vocab_limit=False,
        character_coverage=0.995, model_type="unigram", num_threads=1, minloglevel=2, **options)
    model = sentencepiece_model_pb2.ModelProto()
    model.ParseFromString(written.getvalue())
    return model


def rules_of(charsmap: bytes):
    """Yields the rules of a compiled charsmap, which is a double-array trie of UTF-8 bytes and the replacements."""
    size, = struct.unpack_from("<I", charsmap)
    units = struct.unpack_from(f"<{size // 4}I", charsmap, 4)
    replacements = charsmap[4 + size:]

    def offset(unit):
        return (unit >> 10) << ((unit & 512) >> 6)

    def walk(node, key):
        for byte in range(1, 256):
            child = node ^ byte
            if child >= len(units) or units[child] & 0x800000FF != byte:
                continue
            after = child ^ offset(units[child])
            if units[child] >> 8 & 1:
                start = units[after] & 0x7FFFFFFF
                yield key + bytes([byte]), replacements[start:replacements.index(0, start)]
            yield from walk(after, key + bytes([byte]))

    yield from walk(offset(units[0]), b"")


def needed_rules(charsmap: bytes) -> str:
    """The rules of the texts only, because all rules together would take 320 kB."""
    used = set("".join([*TEXTS["training"], *TEXTS["compared"], *TEXTS["repeatedBeyondTheLimit"]]))
    rules = [(key.decode(), value.decode()) for key, value in rules_of(charsmap)]
    codes = lambda text: " ".join(f"{ord(each):X}" for each in text)
    return "".join(f"{codes(key)}\t{codes(value)}\n" for key, value in rules if used.issuperset(key))


def make_tokenizer():
    with tempfile.NamedTemporaryFile("w", suffix=".tsv") as rules:
        rules.write(needed_rules(train().normalizer_spec.precompiled_charsmap))
        rules.flush()
        model = train(normalization_rule_tsv=rules.name)
    vocabulary = [[name, 0.0] for name in ("<s>", "<pad>", "</s>", "<unk>")]
    vocabulary += [[piece.piece, piece.score] for piece in model.pieces[3:]] + [["<mask>", 0.0]]
    special = {"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3, "<mask>": len(vocabulary) - 1}
    token = lambda name: {"SpecialToken": {"id": name, "type_id": 0}}
    text = lambda name: {"Sequence": {"id": name, "type_id": 0}}
    metaspace = {"type": "Metaspace", "replacement": "▁", "add_prefix_space": True}
    return {
        "version": "1.0",
        "truncation": {"direction": "Right", "max_length": MAX_TOKENS, "strategy": "LongestFirst", "stride": 0},
        "padding": {"strategy": "BatchLongest", "direction": "Right", "pad_to_multiple_of": None, "pad_id": PAD,
                    "pad_type_id": 0, "pad_token": "<pad>"},
        "added_tokens": [{"id": id, "content": name, "single_word": False, "lstrip": name == "<mask>", "rstrip": False,
                          "normalized": False, "special": True} for name, id in special.items()],
        "normalizer": {"type": "Precompiled", "precompiled_charsmap": base64.b64encode(
            model.normalizer_spec.precompiled_charsmap).decode()},
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, metaspace]},
        "post_processor": {
            "type": "TemplateProcessing", "single": [token("<s>"), text("A"), token("</s>")],
            "pair": [token("<s>"), text("A"), token("</s>"), token("</s>"), text("B"), token("</s>")],
            "special_tokens": {name: {"id": name, "ids": [special[name]], "tokens": [name]} for name in ("<s>", "</s>")}},
        "decoder": metaspace,
        "model": {"type": "Unigram", "unk_id": 3, "vocab": vocabulary},
    }


def write(path: Path, value) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n")


def make_model(vocabulary_size: int) -> BertModel:
    torch.manual_seed(5)
    config = BertConfig(
        vocab_size=vocabulary_size, hidden_size=WIDTH, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64,
        max_position_embeddings=MAX_TOKENS, type_vocab_size=2, pad_token_id=0, initializer_range=0.3)
    model = BertModel(config, add_pooling_layer=False).eval()
    spec = importlib.util.spec_from_file_location("local_model", HERE.parents[2] / "bench" / "make-local-model.py")
    local_model = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(local_model)
    weights = {name: value.numpy() for name, value in model.state_dict().items()}
    graph = local_model.Graph(weights, config.to_dict()).model()
    onnx.checker.check_model(graph)
    (OUT / "onnx").mkdir(parents=True, exist_ok=True)
    onnx.save(graph, OUT / "onnx" / "model.onnx")
    names = ["model_type", "vocab_size", "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size",
             "max_position_embeddings", "type_vocab_size", "pad_token_id"]
    write(OUT / "config.json", {name: config.to_dict().get(name, config.model_type) for name in names})
    return model


def make_reference(model: BertModel) -> None:
    tokenizer = Tokenizer.from_file(str(OUT / "tokenizer.json"))
    texts = TEXTS["compared"] + [text * 600 for text in TEXTS["repeatedBeyondTheLimit"]]
    cases = [(purpose, text) for purpose in PREFIXES for text in texts]
    encoded = tokenizer.encode_batch([PREFIXES[purpose] + text for purpose, text in cases])
    mask = torch.tensor([each.attention_mask for each in encoded])
    with torch.no_grad():
        rows = model(torch.tensor([each.ids for each in encoded]), attention_mask=mask).last_hidden_state
    wide = mask.unsqueeze(-1)
    vectors = torch.nn.functional.normalize((rows * wide).sum(1) / wide.sum(1))
    questions, memories = vectors.split(len(texts))
    assert (questions - memories).abs().max(dim=1).values.min() > 1e-3, "the prefixes must make a difference"
    lines = [json.dumps({
        "purpose": purpose, "text": texts.index(text),
        "tokens": [id for id, is_text in zip(each.ids, each.attention_mask) if is_text],
        "vector": [round(value, 6) for value in vector.tolist()],
    }) for (purpose, text), each, vector in zip(cases, encoded, vectors)]
    (HERE / "reference.jsonl").write_text("".join(line + "\n" for line in lines))


def main() -> None:
    tokenizer = make_tokenizer()
    write(OUT / "tokenizer.json", tokenizer)
    write(OUT / "tokenizer_config.json", {"tokenizer_class": "XLMRobertaTokenizer", "model_max_length": MAX_TOKENS,
                                          "bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>",
                                          "pad_token": "<pad>", "mask_token": "<mask>"})
    make_reference(make_model(len(tokenizer["model"]["vocab"])))


main()
