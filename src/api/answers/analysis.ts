/** The answer about all memories together. */
import { z } from 'zod';
import { success, wholeNumber } from './common.js';

const UNKNOWN = 'Null when it could not be found out';

const typeFigures = z.strictObject({
  count: wholeNumber.describe('How many memories have the type, archived ones included'),
  average_confidence: z.number().describe('How sure their type is on average, 0-1 with three decimals'),
});

const pattern = z.strictObject({
  type: z.string().describe('Type of the memories that show it'),
  description: z.string().describe('The pattern in words'),
  confidence: z.number().describe('How sure it is, above 0.6 and at most 1'),
  observations: wholeNumber.describe('How many memories show it'),
});

const preference = z.strictObject({
  prefers: z.string().describe('Content of the memory that is preferred'),
  over: z.string().describe('Content of the memory that it is preferred to'),
  context: z.string().nullable().describe('When that is so, as the edge says; null where it says nothing'),
  strength: z.number().describe('0-1'),
});

const hourFigures = z.strictObject({
  count: wholeNumber.describe('How many of the memories lie in that hour'),
  avg_importance: z.number().describe('Their importance on average, 0-1 with three decimals'),
});

const confidenceCounts = z.strictObject({
  low: wholeNumber.describe('Below 0.4'),
  medium: wholeNumber.describe('From 0.4 to below 0.7'),
  high: wholeNumber.describe('From 0.7 on'),
});

const analytics = z
  .strictObject({
    memory_types: z.record(z.string(), typeFigures).nullable().describe(`All memories by their type. ${UNKNOWN}`),
    patterns: z
      .array(pattern)
      .max(10)
      .nullable()
      .describe(`The patterns with a confidence above 0.6, the surest first. ${UNKNOWN}`),
    preferences: z
      .array(preference)
      .max(10)
      .nullable()
      .describe(`The edges PREFERS_OVER, the strongest first. ${UNKNOWN}`),
    temporal_insights: z
      .record(z.string(), hourFigures)
      .nullable()
      .describe(`The 100 oldest memories by the hour of their timestamp in UTC, as hour_00 to hour_23. ${UNKNOWN}`),
    entity_frequency: z
      .record(z.string(), wholeNumber)
      .nullable()
      .describe(
        `How many of the 200 newest memories name something in entities, keywords or topics of their metadata; the 50 ` +
          `most frequent names. ${UNKNOWN}`,
      ),
    confidence_distribution: confidenceCounts
      .nullable()
      .describe(`How sure the types of the 500 newest memories are. ${UNKNOWN}`),
  })
  .describe('Each field is found out by itself');

export const analysisAnswer = z.strictObject({ status: success, analytics });
export type AnalysisAnswer = z.infer<typeof analysisAnswer>;
