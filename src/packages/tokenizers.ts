/** The tokenizers of models, which the build makes one file of. */
export { Tokenizer } from '@huggingface/tokenizers';
