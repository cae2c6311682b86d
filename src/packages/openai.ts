/** The client for OpenAI's models. The build bundles it into one file. */
export { default } from 'openai';
