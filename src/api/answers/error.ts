/** The error body, which all failures share (docs/decisions.md, "One error body"). */
import { z } from 'zod';
import { wholeNumber } from './common.js';

export const errorAnswer = z.strictObject({
  status: z.literal('error').describe('The request was not carried out'),
  code: wholeNumber.describe('The HTTP status of the answer'),
  error: z.string().describe('The error in a sentence'),
  message: z.string().describe('Same as error, for AutoMem clients'),
  field: z.string().optional().describe('The invalid input field, as the caller spelled it'),
  index: wholeNumber.optional().describe('Position of the invalid element of a batch, from 0'),
  details: z.string().optional().describe('What the caller can do about the error'),
  request_id: z.string().optional().describe('Id of the log entry, only for an internal error'),
});
export type ErrorAnswer = z.infer<typeof errorAnswer>;
