/** The tokenizers of models. The build bundles them into one file. */
export { Tokenizer } from '@huggingface/tokenizers';
