/** The analysis of all memories together. */
import { z } from 'zod';
import { success, wholeNumber } from './common.js';

const UNKNOWN = 'Null when it could not be determined';

const typeFigures = z.strictObject({
  count: wholeNumber.describe('Number of memories of this type, including archived ones'),
  average_confidence: z.number().describe('Average confidence of their type, 0-1 with three decimals'),
});

const pattern = z.strictObject({
  type: z.string().describe('Type of the memories that show the pattern'),
  description: z.string().describe('Description of the pattern'),
  confidence: z.number().describe('Confidence of the pattern, above 0.6 and at most 1'),
  observations: wholeNumber.describe('Number of memories that show the pattern'),
});

const preference = z.strictObject({
  prefers: z.string().describe('Content of the memory that is preferred'),
  over: z.string().describe('Content of the memory that it is preferred to'),
  context: z
    .string()
    .nullable()
    .describe('The context of the preference, as the edge states it; null when it states none'),
  strength: z.number().describe('0-1'),
});

const hourFigures = z.strictObject({
  count: wholeNumber.describe('Number of these memories in this hour'),
  avg_importance: z.number().describe('Their average importance, 0-1 with three decimals'),
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
        `How often the 200 newest memories name each entity, keyword or topic in their metadata; the 50 most frequent names. ${UNKNOWN}`,
      ),
    confidence_distribution: confidenceCounts
      .nullable()
      .describe(`Confidence of the types of the 500 newest memories. ${UNKNOWN}`),
  })
  .describe('Each field is determined independently of the others');

export const analysisAnswer = z.strictObject({ status: success, analytics });
export type AnalysisAnswer = z.infer<typeof analysisAnswer>;
