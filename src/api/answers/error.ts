/** The one body of every failure (docs/decisions.md, "One error body"). */
import { z } from 'zod';
import { wholeNumber } from './common.js';

export const errorAnswer = z.strictObject({
  status: z.literal('error').describe('The request was not carried out'),
  code: wholeNumber.describe('The HTTP status of the answer'),
  error: z.string().describe('What is wrong, in a sentence'),
  message: z.string().describe("The same sentence, under the name that AutoMem's clients read"),
  field: z.string().optional().describe('The input field that is wrong, as it was spelled'),
  index: wholeNumber.optional().describe('Position of the element of a batch that is wrong, from 0'),
  details: z.string().optional().describe('What can be done about it'),
  request_id: z.string().optional().describe('Only on an unexpected fault: the name under which it was logged'),
});
export type ErrorAnswer = z.infer<typeof errorAnswer>;
