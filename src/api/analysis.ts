/** Analyses of all memories together, and the search for credentials, which reads them page by page. */
import { z } from 'zod';
import {
  type Analysis,
  CREDENTIAL_PAGE_MAX,
  type CredentialPage,
  type CredentialScanRequest,
} from '../domain/reports.js';
import { roundScore, roundThousandths, success, wholeNumber } from './answer-fields.js';
import { count, memoryId } from './fields.js';
import { optional, readObject } from './input.js';
import { type Operation, routeOf } from './operation.js';

const finding = z
  .strictObject({
    id: z.string().describe('Id of the memory'),
    kinds: z.array(z.string()).describe('Kinds of the credentials, such as GITHUB TOKEN'),
    only_in_history: z
      .boolean()
      .describe('Whether only former versions contain the credential, because an edit removed it'),
    excerpt: z.string().describe('The words before the first credential, then its kind in brackets'),
  })
  .describe('A memory that seems to contain a credential');

const credentialsAnswer = z.strictObject({
  status: success,
  findings: z.array(finding).describe('The memories of the page that seem to contain a credential'),
  scanned: wholeNumber.describe('Number of memories that were read'),
  next: z.string().nullable().describe('`after` of the next page; null on the last page'),
});
export type CredentialsAnswer = z.infer<typeof credentialsAnswer>;

const PAGE = 500;

const credentialPage = z.object({
  after: optional(memoryId).describe('`next` of the prior page'),
  limit: optional(count({ max: CREDENTIAL_PAGE_MAX })).describe(
    `Maximum number of memories to read, ${PAGE} by default`,
  ),
});
export type CredentialPageParameters = z.input<typeof credentialPage>;

function toCredentialScan({ after, limit = PAGE }: z.output<typeof credentialPage>): CredentialScanRequest {
  return { limit, ...(after !== undefined && { afterId: after }) };
}

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

export const analysisOperations: readonly Operation[] = [
  {
    ...routeOf('analyze'),
    access: 'token',
    tag: 'service',
    summary: 'Analyse all memories together; a value that cannot be determined is null',
    answers: { 200: analysisAnswer },
    failures: [],
    run: async engine => renderAnalysis(await engine.analyze()),
  },
  {
    ...routeOf('credentials'),
    access: 'token',
    tag: 'service',
    summary: 'Read a page of all memories, and list those that seem to contain a credential',
    query: credentialPage,
    answers: { 200: credentialsAnswer },
    failures: ['invalid'],
    run: async (engine, { query }) => {
      const page = toCredentialScan(readObject(credentialPage, query, 'The query'));
      return renderCredentials(await engine.credentials(page));
    },
  },
];

export function renderAnalysis(found: Analysis): AnalysisAnswer {
  const { types, patterns, preferences, hours, entities, confidences } = found;
  return {
    status: 'success',
    analytics: {
      memory_types: mapOf(types, ({ type, count, averageConfidence }) => [
        type,
        { count, average_confidence: roundThousandths(averageConfidence) },
      ]),
      patterns: patterns?.map(each => ({ ...each, confidence: roundScore(each.confidence) })) ?? null,
      preferences: preferences?.map(each => ({ ...each, strength: roundScore(each.strength) })) ?? null,
      temporal_insights: mapOf(hours, ({ hour, count, averageImportance }) => [
        `hour_${String(hour).padStart(2, '0')}`,
        { count, avg_importance: roundThousandths(averageImportance) },
      ]),
      entity_frequency: mapOf(entities, ({ name, count }) => [name, count]),
      confidence_distribution: confidences,
    },
  };
}

/** Converts the items to an object. `Object.fromEntries` is safe for any name, even `__proto__`. */
function mapOf<Item, Value>(
  items: readonly Item[] | null,
  entryOf: (item: Item) => [string, Value],
): Record<string, Value> | null {
  return items && Object.fromEntries(items.map(entryOf));
}

function renderCredentials({ findings, scannedCount, next }: CredentialPage): CredentialsAnswer {
  return {
    status: 'success',
    findings: findings.map(({ isOnlyInHistory, ...finding }) => ({ ...finding, only_in_history: isOnlyInHistory })),
    scanned: scannedCount,
    next: next ?? null,
  };
}
