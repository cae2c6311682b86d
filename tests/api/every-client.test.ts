/**
 * A client that sends every list as JSON text and something empty in every optional field gets the same answers as a
 * well-behaved client (docs/decisions.md, "Empty values and JSON text"). The requests are derived from the schemas of the
 * operations, so that a new field is tested too.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { newMemory } from '../../src/api/memory-requests.js';
import type { Operation } from '../../src/api/operation.js';
import { createOperations } from '../../src/api/operations.js';
import { openTestApp, type Answer as Received } from '../http/test-app.js';
import { testLimits } from '../support/test-limits.js';
import { allFields, type Fields, formWith, IDS, type Manner, OTHERS, requestOf, WELL_BEHAVED } from './every-field.js';

const LIMITS = testLimits({ vectorSize: 64 });
const OPERATIONS = createOperations(LIMITS);

/** A request, as a well-behaved client sends it. */
interface Sent {
  operation: string;
  /** Identifies a form of the body by one of its fields. */
  form?: string;
  /** The id in the path. */
  id?: string;
  /** The fields of the query or the body. */
  fields: Fields;
  /** The body is the list of this field alone. */
  isBare?: boolean;
}

const memoriesOf = (fields: Fields, ids: readonly string[]) => ids.map(id => ({ ...fields, id }));
const schemaOf = (name: string, form?: string) => {
  const { query, body } = operation(name);
  return query && !body ? query : form === undefined ? (body as z.ZodObject) : formWith(body as z.ZodType, form);
};
/** The forms of requests that have several, by one of their fields. */
const FORMS: Readonly<Record<string, string>> = { associate: 'memory1_id', storeMany: 'memories' };
const all = (name: string, except: readonly string[] = [], other: Fields = {}) =>
  allFields(schemaOf(name, FORMS[name]), except, other);

const NEW = allFields(newMemory(LIMITS), ['id'], {});
const [TWO, THREE] = ['00000000-0000-4000-8000-0000000000b1', '00000000-0000-4000-8000-0000000000b2'];
const UNKNOWN = 'ffffffff-ffff-4fff-8fff-ffffffffffff';
const EDGE = { memory1_id: IDS[4], memory2_id: IDS[5] };

/** Requests with every field. Some fields exclude each other, so some operations have several requests. */
const FULL: readonly Sent[] = [
  { operation: 'store', fields: all('store') },
  { operation: 'storeMany', form: 'memories', fields: { memories: memoriesOf(NEW, [TWO]) } },
  { operation: 'storeMany', form: 'memories', isBare: true, fields: { memories: memoriesOf(NEW, [THREE]) } },
  { operation: 'get', id: IDS[0], fields: {} },
  { operation: 'update', id: IDS[0], fields: all('update') },
  { operation: 'history', id: IDS[0], fields: {} },
  { operation: 'restoreVersion', id: IDS[0], fields: all('restoreVersion') },
  ...['REINFORCES', 'PREFERS_OVER', 'CONTRADICTS', 'EXEMPLIFIES', 'DERIVED_FROM', 'INVALIDATED_BY', 'PART_OF'].map(
    type => ({
      operation: 'associate',
      form: 'memory1_id',
      fields: all('associate', [], { type, ...EDGE }),
    }),
  ),
  {
    operation: 'associate',
    form: 'associations',
    fields: { associations: [all('associate', [], { type: 'REINFORCES' }), { ...EDGE, strength: 2 }] },
  },
  { operation: 'related', id: IDS[0], fields: all('related') },
  { operation: 'recall', fields: all('recall', ['memory_id']) },
  {
    operation: 'recall',
    fields: all('recall', ['memory_id', 'tags', 'tag_match', 'time_query', 'sort', 'current_only']),
  },
  { operation: 'recall', fields: { memory_id: IDS[0] } },
  { operation: 'whyNot', fields: all('whyNot', [], { id: IDS[0] }) },
  { operation: 'listByTag', fields: all('listByTag', [], { offset: 0 }) },
  { operation: 'consolidate', fields: all('consolidate') },
  { operation: 'consolidationStatus', fields: {} },
  { operation: 'consolidationRun', id: UNKNOWN, fields: all('consolidationRun') },
  { operation: 'undoConsolidation', fields: all('undoConsolidation') },
  { operation: 'bin', fields: all('bin') },
  { operation: 'restore', fields: all('restore') },
  { operation: 'proposals', fields: all('proposals') },
  { operation: 'settleProposal', id: 'unknown', fields: all('settleProposal') },
  { operation: 'hookSessionStart', fields: all('hookSessionStart') },
  { operation: 'hookPrompt', fields: all('hookPrompt') },
  { operation: 'hookStop', fields: all('hookStop') },
  { operation: 'hookPreCompact', fields: all('hookPreCompact') },
  { operation: 'hookSessionEnd', fields: all('hookSessionEnd') },
  { operation: 'hookTry', fields: all('hookTry') },
  { operation: 'hookLog', fields: all('hookLog') },
  { operation: 'analyze', fields: {} },
  { operation: 'credentials', fields: all('credentials') },
  { operation: 'startupRecall', fields: {} },
  { operation: 'noteProject', fields: all('noteProject') },
  { operation: 'projects', fields: {} },
  { operation: 'exportPage', fields: all('exportPage') },
  { operation: 'importPage', fields: all('importPage', [], { dry_run: false }) },
  { operation: 'reprocess', fields: all('reprocess') },
  { operation: 'reembed', fields: all('reembed') },
  { operation: 'sync', fields: all('sync') },
  { operation: 'health', fields: {} },
  { operation: 'workStatus', fields: {} },
  { operation: 'removeByTag', fields: all('removeByTag', [], { tags: ['imported', 'b, c'] }) },
  { operation: 'remove', id: IDS[1], fields: {} },
];

/** Fields of requests with as few fields as possible. */
const LEAST: Readonly<Record<string, Fields>> = {
  update: { importance: 0.9 },
  reprocess: { ids: [IDS[0]] },
  restore: { ids: [IDS[0]] },
  // Without an id, every client gets another one.
  store: { content: 'Ann chose tea.', id: TWO },
};

function operation(name: string): Operation {
  const found = OPERATIONS.find(each => each.name === name);
  if (!found) throw new Error(`There is no operation ${name}`);
  return found;
}

/** The same requests with only the required fields, and those of LEAST. */
const FEW: readonly Sent[] = FULL.filter(
  ({ isBare, operation: name, form }) => !isBare && !(name === 'storeMany' && form),
).map(sent => {
  const schema = schemaOf(sent.operation, sent.form);
  const required = Object.entries(sent.fields).filter(([name]) => !schema?.shape[name]?.safeParse(undefined).success);
  const fields = LEAST[sent.operation] ?? (sent.fields.memory_id ? sent.fields : Object.fromEntries(required));
  return { ...sent, fields: schema ? fields : {} };
});

const isMeaningfulIn = (name: string) => (field: string, empty: unknown) =>
  name === 'update' && ((field === 'tags' && Array.isArray(empty)) || (/^t_/.test(field) && empty === null));

function bodyOf({ operation: name, form, fields, isBare }: Sent, manner: Manner): unknown {
  const schema = schemaOf(name, form);
  const sent = requestOf(schema, { given: fields, manner, isMeaningful: isMeaningfulIn(name) });
  return isBare ? sent.memories : sent;
}

/** Lists are repeated names, or names with brackets, and everything else is text. */
function queryOf({ operation: name, fields }: Sent, manner: Manner): string {
  const schema = operation(name).query;
  if (!schema || operation(name).body) return '';
  const sent = requestOf(schema, { given: fields, manner, isMeaningful: () => false });
  const search = new URLSearchParams();
  const isPlain = manner === WELL_BEHAVED;
  for (const [field, value] of Object.entries(sent)) {
    const items = Array.isArray(value) ? value : [value];
    for (const item of items) {
      const text = item === null || (typeof item === 'object' && !Array.isArray(item)) ? '' : String(item);
      search.append(isPlain || !Array.isArray(value) ? field : `${field}[]`, text);
    }
  }
  return `?${search}`;
}

const opened: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of opened) await close();
});

interface Answered {
  operation: string;
  status: number;
  body: unknown;
}

/** Sends all requests to a new memory, and returns the answers without what differs between runs. */
async function answersTo(requests: readonly Sent[], manner: Manner): Promise<Answered[]> {
  const { call, engine, close } = await openTestApp({ adminToken: 'admin' });
  opened.push(close);
  for (const id of IDS)
    await call('POST /memory', { json: { id, content: `Ann chose tea ${id}`, tags: ['kitchen', 'tea, green'] } });
  await engine.idle();
  const answers: Answered[] = [];
  for (const sent of requests) {
    const { method, path, body } = operation(sent.operation);
    const route = `${method} ${path.replace(':id', sent.id ?? '')}${queryOf(sent, manner)}`;
    const headers = { 'x-admin-token': 'admin' };
    const received = await call(route, { headers, ...(body && { json: bodyOf(sent, manner) }) });
    await engine.idle();
    answers.push({ operation: sent.operation, ...steady(received) });
  }
  return answers;
}

const VARYING = /_ms$|_seconds$|^storage$|^next_runs$/;

function steady({ status, body }: Received): { status: number; body: unknown } {
  return { status, body: JSON.parse(JSON.stringify(body, (key, value: unknown) => (VARYING.test(key) ? 0 : value))) };
}

describe.each([
  ['every field', FULL],
  ['only the required fields', FEW],
] as const)('requests with %s', (_, requests) => {
  let expected: Answered[];
  beforeAll(async () => {
    expected = await answersTo(requests, WELL_BEHAVED);
  });

  test('are accepted from a well-behaved client', () => {
    const refused = expected.filter(({ status }) => status >= 400).map(({ operation: name, status }) => [name, status]);
    const ofUnknownIds = [
      ['consolidationRun', 404],
      ['undoConsolidation', 404],
      ['settleProposal', 404],
    ];
    expect(refused).toEqual(ofUnknownIds);
  });

  test.each(Object.entries(OTHERS))('get the same answers with %s', async (_name, manner) => {
    const answers = await answersTo(requests, manner);
    for (const [index, answer] of answers.entries())
      expect(answer, JSON.stringify(requests[index])).toEqual(expected[index]);
  });
});

test('the requests include every operation, and every field of its schema', () => {
  const sent = new Set(FULL.map(({ operation: name }) => name));
  expect(OPERATIONS.map(({ name }) => name).filter(name => !sent.has(name))).toEqual([]);
  for (const { name, query, body } of OPERATIONS) {
    const fields = new Set(FULL.filter(each => each.operation === name).flatMap(each => Object.keys(each.fields)));
    const schema = body ? schemaOf(name, FORMS[name]) : query;
    expect(
      Object.keys(schema?.shape ?? {}).filter(field => !fields.has(field)),
      name,
    ).toEqual([]);
  }
});
