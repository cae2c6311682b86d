/** The records of exports and imports, and the requests for pages of them. An export file has the same records, one in each line. */
import { z } from 'zod';
import { invalidField, MemoryError } from '../domain/errors.js';
import { storedTextProblem } from '../domain/input.js';
import { isPlainObject, type Metadata } from '../domain/json.js';
import { MEMORY_TYPES } from '../domain/memory.js';
import { type MetadataLimits, metadataProblem } from '../domain/metadata.js';
import { RELATION_TYPES, type RelationType } from '../domain/relation.js';
import { parseIso, toIso } from '../domain/time.js';
import {
  EXPORTED_KINDS,
  type ExportPageRequest,
  JOINED_KINDS,
  LEASE_PREFIX,
  TRANSFER_PAGE_MAX,
  TRANSFER_PARTS,
} from '../domain/transfer.js';
import { choice, count, flag, memoryId } from './fields.js';
import { optional } from './input.js';

/** An instant in exactly the form that an export writes. An instant in another form is refused, not converted. */
const instant = z
  .string()
  .refine(text => {
    const epochMs = parseIso(text);
    return epochMs !== undefined && toIso(epochMs) === text;
  }, 'must be an instant such as 2026-01-31T12:00:00.000Z')
  .describe('An instant in UTC');
const share = z.number().min(0).max(1);
/**
 * These limits are wider than the limits for other requests, because the exporting service may have had other limits.
 * The numbers are trusted, because the importer parses them from YAML too, and looks at their text itself.
 * `maxDepth` leaves a few levels of the maximum depth of a request body for the record around the object.
 */
const OBJECT_LIMITS: MetadataLimits = { maxBytes: 16_777_216, maxKeys: 1_000_000, maxDepth: 56, trustsNumbers: true };
const object = z
  .custom<Metadata>(isPlainObject, 'must be an object')
  .superRefine((value, context) => {
    const problem = isPlainObject(value) ? metadataProblem(value, OBJECT_LIMITS) : undefined;
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
  })
  .meta({ type: 'object', additionalProperties: true });
const wholeText = z.string().superRefine((text, context) => {
  const problem = storedTextProblem(text);
  if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
});

const memory = z.strictObject({
  id: memoryId.describe('Id (UUID) of the memory'),
  content: wholeText.refine(text => text.trim() !== '', 'must not be blank').describe('Its content'),
  type: z.enum(MEMORY_TYPES).describe('Its type'),
  confidence: share.describe('Confidence of its type, 0-1'),
  tags: z.array(wholeText.min(1)).describe('Its tags'),
  importance: share.describe('Its importance, 0 to 1'),
  metadata: object.describe('Its metadata'),
  timestamp: instant.describe('When it was created'),
  updated_at: instant.describe('When it was last changed'),
  last_accessed: instant.describe('When a recall last used it'),
  t_valid: instant.optional().describe('Start of its validity'),
  t_invalid: instant.optional().describe('End of its validity'),
  summary: wholeText.optional().describe('A shorter wording'),
  enriched: z.boolean().describe('Whether it has been enriched'),
  archived: z.boolean().describe('Whether it is archived'),
  archived_at: instant.optional().describe('When it was archived'),
  archived_reason: wholeText.optional().describe('Why it was archived'),
  relevance_score: share.optional().describe('Its relevance after decay, 0 to 1'),
  maybe_outdated_by: wholeText.optional().describe('Which newer memory may replace it: a digest and an id'),
});

const relation = z.strictObject({
  to: memoryId.describe('Id of the memory that the edge leads to'),
  type: z.enum(RELATION_TYPES as [RelationType, ...RelationType[]]).describe('Type of the edge'),
  strength: share.describe('Strength of the edge, 0 to 1'),
  properties: object.describe('Further properties of the edge'),
  updated_at: instant.describe('When the edge was last changed'),
});

const link = z.strictObject({
  kind: z.enum(JOINED_KINDS).describe('Kind of the node'),
  id: wholeText.min(1).describe('Id of the node'),
  confidence: share.describe('Confidence of the edge, 0 to 1'),
  updated_at: instant.describe('When the edge was last changed'),
});

const edgeFields = {
  relations: z.array(relation).describe('Edges to other memories'),
  links: z.array(link).describe('Edges to patterns and summaries of groups'),
};

/** A memory with the edges that begin at it. */
export const memoryLine = z.strictObject({
  memory: memory.describe('The memory'),
  work: z.array(z.literal('enrich')).describe('Pending background work other than embedding'),
  embedding: z
    .base64()
    .optional()
    .describe('The vector that the caller supplied: 32-bit floating point numbers, little endian, in base64'),
  undated: z
    .boolean()
    .optional()
    .describe('Whether the source has no time for it. Then a stored memory that was changed since its import is kept'),
  ...edgeFields,
});
export type MemoryLine = z.infer<typeof memoryLine>;

export const nodeLine = z.strictObject({
  node: z
    .strictObject({
      kind: z.enum(EXPORTED_KINDS).describe('Kind of the node'),
      id: wholeText
        .min(1)
        .refine(id => !id.startsWith(LEASE_PREFIX), `must not begin with ${LEASE_PREFIX}`)
        .describe('Id of the node'),
      properties: object.describe('Its properties'),
      updated_at: instant.describe('When it was last changed'),
    })
    .describe('A node that is not a memory'),
});
export type NodeLine = z.infer<typeof nodeLine>;

/** Edges that begin at a memory that is already stored. */
export const edgesLine = z.strictObject({ from: memoryId.describe('Id of the memory'), ...edgeFields });
export type EdgesLine = z.infer<typeof edgesLine>;

export type TransferLine = MemoryLine | NodeLine | EdgesLine;

export const exportPageRequest = z.object({
  part: optional(choice(TRANSFER_PARTS)).describe('Memories, or all other nodes; memories by default'),
  after: optional(z.string()).describe('`next` of the prior page'),
  limit: optional(count({ max: TRANSFER_PAGE_MAX })).describe(`Records in the page, ${TRANSFER_PAGE_MAX} by default`),
  since: optional(instantOf()).describe('Leaves out records with an `updated_at` before this instant (ISO 8601)'),
});
export type ExportPageParameters = z.input<typeof exportPageRequest>;

/** Accepts an ISO 8601 instant in each form that `parseIso` reads, and converts it to the form of `toIso`. */
function instantOf() {
  return z.string().transform((text, context) => {
    const epochMs = parseIso(text);
    if (epochMs !== undefined) return toIso(epochMs);
    context.issues.push({ code: 'custom', message: 'must be an ISO 8601 instant', input: text });
    return z.NEVER;
  });
}

export function toExportPageRequest(given: z.output<typeof exportPageRequest>): ExportPageRequest {
  const { part = 'memories', after, limit = TRANSFER_PAGE_MAX, since } = given;
  const from = part === 'memories' && after !== undefined ? memoryId.safeParse(after) : undefined;
  if (from && !from.success) throw invalidField('after', "must be the 'next' of a page of memories");
  return { part, limit, ...(after !== undefined && { after }), ...(since !== undefined && { since }) };
}

export const importPageRequest = z.object({
  records: z
    .array(z.union([memoryLine, nodeLine, edgesLine]))
    .max(TRANSFER_PAGE_MAX, `must have at most ${TRANSFER_PAGE_MAX} items`)
    .describe('Memories, nodes and edges. Edges are written last. Edges inside a memory record are ignored'),
  dry_run: optional(flag).describe('Only count'),
  read_types: optional(flag).describe('Classify memories of type Context with confidence 0.3 by their content'),
  allow_credentials: optional(flag).describe('Import records that seem to contain a credential, too'),
  last: optional(flag).describe('This is the last page; embedding and enrichment start now'),
});
export interface ImportPageParameters {
  records: readonly TransferLine[];
  dry_run?: boolean;
  read_types?: boolean;
  allow_credentials?: boolean;
  last?: boolean;
}

/**
 * Reads one record.
 *
 * @throws MemoryError `invalid` that names the field by its path
 */
export function readTransferLine(raw: unknown): TransferLine {
  const [schema] = isPlainObject(raw) ? [schemaOf(raw)] : [];
  if (!schema) throw new MemoryError('invalid', "A record must be an object with 'memory', 'node' or 'from'");
  const { data, error } = schema.safeParse(raw);
  if (!error) return data;
  const [issue] = error.issues;
  if (issue?.code === 'unrecognized_keys') {
    const place = issue.path.length === 0 ? 'a record' : `'${issue.path.join('.')}'`;
    throw new MemoryError('invalid', `'${issue.keys[0]}' is not a known field of ${place}`);
  }
  const problem = issue?.message ?? 'is not valid';
  throw invalidField(issue?.path.join('.') ?? '', problem.startsWith('must') ? problem : `is not valid (${problem})`);
}

function schemaOf(raw: Record<string, unknown>) {
  if ('memory' in raw) return memoryLine;
  if ('node' in raw) return nodeLine;
  return 'from' in raw ? edgesLine : undefined;
}
