/** The tokenizers of models. The build bundles the tokenizers into one file. */
export { Tokenizer } from '@huggingface/tokenizers';
