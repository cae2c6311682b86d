/** The client of Anthropic's models, which the build makes one file of. */
export { default } from '@anthropic-ai/sdk';
