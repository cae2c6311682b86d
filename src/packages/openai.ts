/** The client of OpenAI's models, which the build makes one file of. */
export { default } from 'openai';
