/** The client for Anthropic's models. The build bundles the client into one file. */
export { default } from '@anthropic-ai/sdk';
