/** Values for the fields of every request, and the forms in which clients write values. */
import { z } from 'zod';

/** Ids of memories that exist before the requests. */
export const IDS = [1, 2, 3, 4, 5, 6, 7, 8].map(number => `00000000-0000-4000-8000-00000000000${number}`);
const VECTOR = Array.from({ length: 64 }, (_, index) => (index === 3 ? 1 : 0));
const INSTANT = '2026-01-31T12:00:00.000Z';

/** A memory as an export contains it. */
const RECORD = {
  memory: {
    id: '00000000-0000-4000-8000-0000000000ff',
    content: 'Imported.',
    type: 'Context',
    confidence: 0.9,
    tags: ['imported'],
    importance: 0.5,
    metadata: {},
    timestamp: INSTANT,
    updated_at: INSTANT,
    last_accessed: INSTANT,
    enriched: false,
    archived: false,
  },
  work: [],
  relations: [],
  links: [],
};

/** A valid value for each field, by its name. Requests may state other values. */
export const VALUES: Readonly<Record<string, unknown>> = {
  action: 'accept',
  active_path: 'src/a.ts',
  adaptive_floor: false,
  after: IDS[0],
  allow_credentials: true,
  archived: false,
  auto_decompose: true,
  batch_size: 10,
  confidence: 0.75,
  confirm: true,
  content: 'Ann chose tea, "green", for the team.',
  context: 'the kitchen',
  context_tags: ['kitchen'],
  context_types: ['Decision'],
  current_only: true,
  cwd: '/home/ann/shop',
  project: 'acme/shop',
  former_projects: ['shop', 'till'],
  dry_run: true,
  embedding: VECTOR,
  end: '2026-12-31',
  event: 'session-start',
  exclude_tags: ['absent', 'gone'],
  exhaustive: true,
  expand_entities: true,
  expand_min_importance: 0.1,
  expand_min_strength: 0.1,
  expand_relations: true,
  expand_respect_tags: true,
  expansion_limit: 5,
  explain: true,
  force: true,
  format: 'detailed',
  id: '00000000-0000-4000-8000-0000000000aa',
  ids: [IDS[0], IDS[1]],
  importance: 0.25,
  include_total: true,
  language: 'typescript',
  last: true,
  last_accessed: '2026-01-30',
  last_assistant_message: 'Tea it is.',
  limit: 3,
  max_depth: 2,
  max_tokens: 5_000,
  memory_id: IDS[0],
  memory1_id: IDS[0],
  memory2_id: IDS[1],
  metadata: { source: 'chat, "quoted"', files: ['a', 'b'], count: 3 },
  min_score: 0.01,
  mode: 'decay',
  observations: ['seen, twice', 'again'],
  offset: 1,
  order_by: 'time_asc',
  page: 0,
  part: 'memories',
  pattern_type: 'habit',
  per_query_limit: 2,
  priority_ids: [IDS[1], IDS[2]],
  prompt: 'Which tea did Ann choose for the team?',
  queries: ['tea, green', 'team'],
  query: 'tea',
  read_types: true,
  reason: 'It tastes better.',
  recency_bias: 'on',
  records: [RECORD],
  relation_limit: 2,
  relationship_types: ['LEADS_TO', 'REINFORCES'],
  remove_orphans: true,
  resolution: 'None.',
  role: 'part',
  run_id: IDS[0],
  scope_fallback: true,
  session_id: 'session',
  since: '2020-01-01',
  sort: 'time_desc',
  start: '2020-01-01',
  state_debug: true,
  state_mode: 'history',
  stop_hook_active: true,
  strength: 0.75,
  summaries: true,
  supersede_reason: 'Coffee is over.',
  supersede_relation: 'EVOLVED_INTO',
  supersedes_memory_id: IDS[3],
  t_invalid: '2027-02-01',
  t_valid: '2026-01-01',
  tag_match: 'exact',
  tag_mode: 'any',
  source: 'startup',
  tags: ['kitchen', 'tea, green'],
  time_query: 'last 5 years',
  timestamp: '2026-01-31',
  transformation: 'none',
  type: 'Decision',
  updated_at: '2026-01-31',
  version: 1,
  within_ms: 60_000,
};

export type Fields = Record<string, unknown>;

/** How a client writes what it sends. */
export interface Manner {
  /** Writes a value. */
  write(value: unknown): unknown;
  /** Fills a field that the client leaves out. Undefined: it does not mention the field. */
  empty: unknown;
}

export const WELL_BEHAVED: Manner = { write: value => value, empty: undefined };

/** Writes lists, objects, numbers and booleans as text. */
function asText(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

/** The one item of the list is the list as text. */
function asOnlyItem(value: unknown): unknown {
  return Array.isArray(value) ? [JSON.stringify(value)] : asText(value);
}

/** The items of a list are texts, and the objects in them too. */
function withTextItems(value: unknown): unknown {
  if (!Array.isArray(value)) return asText(value);
  return value.map(item => (typeof item === 'object' ? JSON.stringify(item) : item));
}

/** Clients that are not well-behaved. */
export const OTHERS: Readonly<Record<string, Manner>> = {
  'lists and objects as JSON text, and empty texts': { write: asText, empty: '' },
  'indented JSON text, and blank texts': {
    write: value => (typeof value === 'object' ? JSON.stringify(value, undefined, 2) : String(value)),
    empty: ' \n',
  },
  'lists as their only item, and null': { write: asOnlyItem, empty: null },
  'text twice encoded, and empty lists': {
    write: value => (Array.isArray(value) ? JSON.stringify([JSON.stringify(value)]) : asText(value)),
    empty: [],
  },
  'objects in lists as JSON text, and empty objects': { write: withTextItems, empty: {} },
};

/** Fields for which an empty value has a meaning of its own. */
export type Meaningful = (name: string, empty: unknown) => boolean;

/**
 * The request as the client sends it: the chosen fields, and something empty in every other optional field.
 *
 * @param given values that differ from VALUES
 */
export function requestOf(
  schema: z.ZodObject,
  { given, manner, isMeaningful }: { given: Fields; manner: Manner; isMeaningful: Meaningful },
): Fields {
  const fields: Fields = {};
  for (const [name, field] of Object.entries(schema.shape as Record<string, z.ZodType>)) {
    if (name in given) fields[name] = manner.write(given[name]);
    else if (manner.empty !== undefined && field.safeParse(undefined).success && !isMeaningful(name, manner.empty)) {
      fields[name] = manner.empty;
    }
  }
  return fields;
}

/** All fields of a schema with their values, except some. */
export function allFields(schema: z.ZodObject, except: readonly string[], other: Fields = {}): Fields {
  const names = Object.keys(schema.shape).filter(name => !except.includes(name));
  return Object.fromEntries(
    names.map(name => {
      if (!(name in VALUES) && !(name in other)) throw new Error(`There is no value for the field ${name}`);
      return [name, name in other ? other[name] : VALUES[name]];
    }),
  );
}

/** The form of a request that is an object with these fields, in a schema that may have several forms. */
export function formWith(schema: z.ZodType, field: string): z.ZodObject {
  const forms = schema instanceof z.ZodUnion ? schema.options : [schema];
  const form = forms.find(each => each instanceof z.ZodObject && field in each.shape);
  if (!(form instanceof z.ZodObject)) throw new Error(`No form of the request has the field ${field}`);
  return form;
}
