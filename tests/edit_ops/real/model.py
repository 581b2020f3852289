"""Writes a tiny model of random weights: model.py FILE. It knows bytes alone, so that any text is a prompt and any
answer that a grammar allows can come out."""

import sys

import gguf
import numpy

WIDTH, INNER, HEADS, LAYERS, CONTEXT = 64, 128, 2, 1, 32768

tokens = ["<unk>", "<s>", "</s>"] + [f"<0x{byte:02X}>" for byte in range(256)]
kinds = [gguf.TokenType.UNKNOWN, gguf.TokenType.CONTROL, gguf.TokenType.CONTROL] + [gguf.TokenType.BYTE] * 256

writer = gguf.GGUFWriter(sys.argv[1], "llama")
writer.add_context_length(CONTEXT)
writer.add_embedding_length(WIDTH)
writer.add_block_count(LAYERS)
writer.add_feed_forward_length(INNER)
writer.add_head_count(HEADS)
writer.add_head_count_kv(HEADS)
writer.add_rope_dimension_count(WIDTH // HEADS)
writer.add_layer_norm_rms_eps(1e-5)
writer.add_vocab_size(len(tokens))
writer.add_tokenizer_model("llama")
writer.add_token_list(tokens)
writer.add_token_scores([0.0] * len(tokens))
writer.add_token_types(kinds)
writer.add_bos_token_id(1)
writer.add_eos_token_id(2)
writer.add_chat_template("{% for message in messages %}{{ message['content'] }}\n{% endfor %}")

numbers = numpy.random.default_rng(20261122)


def add(name, *shape, ones=False):
    values = numpy.ones(shape) if ones else numbers.normal(0, 0.05, shape)
    writer.add_tensor(name, values.astype(numpy.float32))


add("token_embd.weight", len(tokens), WIDTH)
add("output.weight", len(tokens), WIDTH)
add("output_norm.weight", WIDTH, ones=True)
for layer in range(LAYERS):
    for part in ("attn_q", "attn_k", "attn_v", "attn_output"):
        add(f"blk.{layer}.{part}.weight", WIDTH, WIDTH)
    for part in ("attn_norm", "ffn_norm"):
        add(f"blk.{layer}.{part}.weight", WIDTH, ones=True)
    add(f"blk.{layer}.ffn_gate.weight", INNER, WIDTH)
    add(f"blk.{layer}.ffn_up.weight", INNER, WIDTH)
    add(f"blk.{layer}.ffn_down.weight", WIDTH, INNER)

writer.write_header_to_file()
writer.write_kv_data_to_file()
writer.write_tensors_to_file()
writer.close()
