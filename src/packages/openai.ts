/** The client for OpenAI's models. The build bundles the client into one file. */
export { default } from 'openai';
