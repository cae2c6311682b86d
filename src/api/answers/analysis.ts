/** The analysis of all memories together. */
import { z } from 'zod';
import { success, wholeNumber } from './common.js';

const UNKNOWN = 'Null when this part could not be determined';

const typeFigures = z.strictObject({
  count: wholeNumber.describe('Number of memories of this type, including archived ones'),
  average_confidence: z.number().describe('Average type confidence of these memories, 0-1 with three decimals'),
});

const pattern = z.strictObject({
  type: z.string().describe('Type of the memories that show the pattern'),
  description: z.string().describe('Description of the pattern'),
  confidence: z.number().describe('Confidence of the pattern, above 0.6 and at most 1'),
  observations: wholeNumber.describe('Number of memories that show the pattern'),
});

const preference = z.strictObject({
  prefers: z.string().describe('Content of the preferred memory'),
  over: z.string().describe('Content of the other memory'),
  context: z.string().nullable().describe('Context of the preference; null when the edge names no context'),
  strength: z.number().describe('0-1'),
});

const hourFigures = z.strictObject({
  count: wholeNumber.describe('Number of memories from this hour'),
  avg_importance: z.number().describe('Average importance of the memories from this hour, 0-1 with three decimals'),
});

const confidenceCounts = z.strictObject({
  low: wholeNumber.describe('Number of memories with a confidence below 0.4'),
  medium: wholeNumber.describe('Number of memories with a confidence from 0.4 to below 0.7'),
  high: wholeNumber.describe('Number of memories with a confidence of 0.7 or more'),
});

const analytics = z
  .strictObject({
    memory_types: z.record(z.string(), typeFigures).nullable().describe(`All memories by their type. ${UNKNOWN}`),
    patterns: z
      .array(pattern)
      .max(10)
      .nullable()
      .describe(`The patterns with a confidence above 0.6, most confident first. ${UNKNOWN}`),
    preferences: z.array(preference).max(10).nullable().describe(`The PREFERS_OVER edges, strongest first. ${UNKNOWN}`),
    temporal_insights: z
      .record(z.string(), hourFigures)
      .nullable()
      .describe(`The 100 oldest memories, grouped by UTC hour of their timestamp, hour_00 to hour_23. ${UNKNOWN}`),
    entity_frequency: z
      .record(z.string(), wholeNumber)
      .nullable()
      .describe(
        `How many of the 200 newest memories name each entity, keyword or topic in their metadata; only the top 50. ${UNKNOWN}`,
      ),
    confidence_distribution: confidenceCounts
      .nullable()
      .describe(`The 500 newest memories, grouped by type confidence. ${UNKNOWN}`),
  })
  .describe('Each field is determined independently of the others');

export const analysisAnswer = z.strictObject({ status: success, analytics });
export type AnalysisAnswer = z.infer<typeof analysisAnswer>;
