/** Fields that many answers share. */
import { z } from 'zod';

export const success = z.literal('success').describe('The request was carried out');

/** An integer of 0 or more. */
export const wholeNumber = z.int().min(0);

export const queryTimeMs = z.number().describe('Time the answer took, in milliseconds');
