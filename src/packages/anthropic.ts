/** The client for Anthropic's models. The build bundles it into one file. */
export { default } from '@anthropic-ai/sdk';
