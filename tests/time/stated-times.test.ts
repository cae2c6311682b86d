/**
 * Tests times in words in all requests that accept a time: requests that store, change, relate or recall memories. The
 * clock shows Sunday, 1 March 2026, at noon.
 */
import { expect, test } from 'vitest';
import { memoriesWithTimes } from '../../src/engine/stated-times.js';
import { UTC } from '../../src/time/calendar.js';
import { connectClient, textOf } from '../mcp/connected-client.js';
import { openRecallApp } from '../recall/recall-app.js';

const memory = await openRecallApp();
const { request, store, associate, ask, recall, idOf } = memory;
const ANY_ID = '00000000-0000-4000-8000-000000000001';
const OTHER_ID = '00000000-0000-4000-8000-000000000002';
const SUNDAY = '2026-03-01';

async function storedAs(fields: object): Promise<Record<string, string>> {
  const { memory_id } = await request('POST /memory', { content: 'A note', ...fields }, 201);
  return request(`GET /memory/${memory_id}`);
}

test.each([
  ['yesterday', '2026-02-28T00:00:00.000Z'],
  ['last week', '2026-02-16T00:00:00.000Z'],
  ['2026-01-31', '2026-01-31T00:00:00.000Z'],
  ['in May 2025', '2025-05-01T00:00:00.000Z'],
  ['in May', '2025-05-01T00:00:00.000Z'],
  ['now', '2026-03-01T12:00:00.000Z'],
  ['yesterday at 15:42', '2026-02-28T15:42:00.000Z'],
  ['3 February 2026 14:05:06', '2026-02-03T14:05:06.000Z'],
  ['2 hours ago', '2026-03-01T10:00:00.000Z'],
  ['5 minutes ago', '2026-03-01T11:55:00.000Z'],
  ['2026-01-31T12:00:00.123456+02:00', '2026-01-31T10:00:00.123Z'],
])('the timestamp "%s" means %s', async (timestamp, expected) => {
  expect((await storedAs({ timestamp })).timestamp).toBe(expected);
});

test.each([
  ['tomorrow', '2026-03-02T00:00:00.000Z'],
  ['in 3 days', '2026-03-04T00:00:00.000Z'],
  ['in 2 hours', '2026-03-01T14:00:00.000Z'],
  ['1 May', '2026-05-01T00:00:00.000Z'],
  ['1 February', '2027-02-01T00:00:00.000Z'],
  ['1 February 2026', '2026-02-01T00:00:00.000Z'],
  ['friday', '2026-03-06T00:00:00.000Z'],
  ['on Sunday', '2026-03-08T00:00:00.000Z'],
  ['last Friday', '2026-02-27T00:00:00.000Z'],
  ['in February', '2027-02-01T00:00:00.000Z'],
  ['12:30', '2026-03-01T12:30:00.000Z'],
  ['9 am', '2026-03-02T09:00:00.000Z'],
  ['until tomorrow', '2026-03-02T00:00:00.000Z'],
  ['until tomorrow at 17:30', '2026-03-02T17:30:00.000Z'],
  ['before Friday', '2026-03-06T00:00:00.000Z'],
  ['until 2026-05-01', '2026-05-01T00:00:00.000Z'],
  ['next month', '2026-04-01T00:00:00.000Z'],
  ['the weekend', '2026-03-07T00:00:00.000Z'],
])('the end of validity "%s" means %s, even in the future', async (t_invalid, expected) => {
  expect((await storedAs({ t_invalid })).t_invalid).toBe(expected);
});

test.each([
  ['friday', '2026-02-27T00:00:00.000Z'],
  ['monday', '2026-03-02T00:00:00.000Z'],
  ['monday this week', '2026-02-23T00:00:00.000Z'],
])('the start of validity "%s" means the nearest such day, %s', async (t_valid, expected) => {
  expect((await storedAs({ t_valid })).t_valid).toBe(expected);
});

test.each(['03.05.2024', '3/4/2024', '3-4-2024', 'on 3/4', '3/4/2024 at 5 pm', 'from 3/4/2024 to 5/4/2024'])(
  'a stored time may not be "%s", because that can mean two different days',
  async said => {
    for (const field of ['timestamp', 't_valid', 't_invalid']) {
      const { error } = await request('POST /memory', { content: 'x', [field]: said }, 400);
      expect(error).toBe(
        `'${field}' cannot be read: '${said}'. Day and month are ambiguous. Write 2024-05-03, or "3 May 2024"`,
      );
    }
    const edge = { memory1_id: ANY_ID, memory2_id: OTHER_ID, type: 'INVALIDATED_BY', timestamp: said };
    expect((await request('POST /associate', edge, 400)).error).toContain('Day and month are ambiguous');
  },
);

test.each([
  ['13.05.2024', '2024-05-13T00:00:00.000Z'],
  ['4/4/2024', '2024-04-04T00:00:00.000Z'],
  ['2024/05/03', '2024-05-03T00:00:00.000Z'],
])('the timestamp "%s" can only mean %s', async (timestamp, expected) => {
  expect((await storedAs({ timestamp })).timestamp).toBe(expected);
});

test('a recall reads an ambiguous numeric date as month and day', async () => {
  const march = { start: '2024-03-04T00:00:00.000Z', end: '2024-03-04T23:59:59.999Z' };
  expect((await ask({ time_query: '3/4/2024' })).time_window).toEqual(march);
  expect((await ask({ start: '3/4/2024', end: '3/4/2024' })).time_window).toEqual(march);
});

test.each(['yesterday +02:00', '3 May 2024 +02:00', 'tomorrow UTC+2', 'in May +02:00'])(
  'a time zone next to a day is refused: "%s"',
  async said => {
    const { error } = await request('POST /memory', { content: 'x', timestamp: said }, 400);
    expect(error).toContain('A day has no time zone of its own');
    expect(await ask({ start: said }, 400)).toMatchObject({ field: 'start' });
    expect(await ask({ time_query: said }, 400)).toMatchObject({ field: 'time_query' });
  },
);

test('a time zone next to an hour is used', async () => {
  const timestamp = 'yesterday at 5 pm +02:00';
  expect((await storedAs({ timestamp })).timestamp).toBe('2026-02-28T15:00:00.000Z');
});

test('a change accepts times in words, and null removes a bound of validity', async () => {
  const { id } = await storedAs({ t_invalid: 'tomorrow' });
  await request(`PATCH /memory/${id}`, { timestamp: 'last year', t_valid: 'yesterday', t_invalid: null });
  const changed = await request(`GET /memory/${id}`);
  expect(changed).toMatchObject({ timestamp: '2025-01-01T00:00:00.000Z', t_valid: '2026-02-28T00:00:00.000Z' });
  expect(changed).not.toHaveProperty('t_invalid');
});

test('a batch accepts times in words for every memory', async () => {
  const items = ['yesterday', 'today'].map(timestamp => ({ content: `Noted ${timestamp}`, timestamp }));
  const { memory_ids } = await request('POST /memory/batch', { memories: items }, 201);
  const timestamps = [];
  for (const id of memory_ids) timestamps.push((await request(`GET /memory/${id}`)).timestamp);
  expect(timestamps).toEqual(['2026-02-28T00:00:00.000Z', `${SUNDAY}T00:00:00.000Z`]);
});

test('an edge accepts a timestamp in words', async () => {
  await store({ old: { content: 'The gate is green' }, new: { content: 'The gate is blue' } });
  await associate('old', 'INVALIDATED_BY', 'new', { timestamp: 'yesterday' });
  const { relations } = await request(`GET /memory/${idOf('old')}`);
  expect(relations[0]).toMatchObject({ timestamp: '2026-02-28T00:00:00.000Z' });
});

test.each([
  [{ start: 'last week' }, { start: '2026-02-16T00:00:00.000Z' }],
  [{ end: 'last week' }, { end: '2026-02-22T23:59:59.999Z' }],
  [
    { start: 'January 2026', end: 'yesterday' },
    { start: '2026-01-01T00:00:00.000Z', end: '2026-02-28T23:59:59.999Z' },
  ],
  [
    { start: '2026-01-31', end: '2026-01-31' },
    { start: '2026-01-31T00:00:00.000Z', end: '2026-01-31T23:59:59.999Z' },
  ],
  [{ start: '2 hours ago' }, { start: '2026-03-01T10:00:00.000Z' }],
  [{ end: 'yesterday at 15:42' }, { end: '2026-02-28T15:42:00.000Z' }],
  [{ start: '2026-01-31T10:00:00Z' }, { start: '2026-01-31T10:00:00.000Z' }],
  [{ end: '2026-01-31T00:00:00Z' }, { end: '2026-01-31T00:00:00.000Z' }],
  [
    { time_query: 'last month', end: '10 February' },
    { start: '2026-02-01T00:00:00.000Z', end: '2026-02-10T23:59:59.999Z' },
  ],
])('a recall with the bounds %j searches the window %j', async (parameters: Record<string, string>, window) => {
  expect((await ask(parameters)).time_window).toEqual(window);
});

test('a recall returns only memories within its time window, even if the window is given in words', async () => {
  await store({ herons: { content: 'Herons nest here', timestamp: '2025-11-30T23:30:00Z' } });
  expect(await recall({ query: 'herons', start: '2025-11-30', end: '2025-11-30' })).toEqual(['herons']);
  expect(await recall({ query: 'herons', start: 'in December 2025' })).not.toContain('herons');
});

test.each(['timestamp', 'updated_at', 'last_accessed', 't_valid', 't_invalid'])(
  'an unreadable %s is refused with an error that names the field and the accepted forms',
  async field => {
    const { error } = await request('POST /memory', { content: 'x', [field]: 'when pigs fly' }, 400);
    expect(error).toBe(
      `'${field}' cannot be read: 'when pigs fly'. Write ISO 8601, such as 2026-01-31T12:00:00Z, or "yesterday", "last week", "3 May"`,
    );
  },
);

test.each([
  ['start', 'when pigs fly'],
  ['end', 'when pigs fly'],
  ['start', 'before May'],
  ['end', '2026-02-30'],
  ['start', 'x'.repeat(201)],
])('an unreadable %s of a recall is refused: "%s"', async (field, said) => {
  expect(await ask({ [field]: said }, 400)).toMatchObject({ field });
});

test('bounds in words are refused if they contradict each other', async () => {
  expect(await ask({ start: 'yesterday', end: 'last week' }, 400)).toMatchObject({ field: 'end' });
  const bounds = { content: 'x', t_valid: 'tomorrow', t_invalid: 'yesterday' };
  expect(await request('POST /memory', bounds, 400)).toMatchObject({ field: 't_invalid' });
});

test('a batch with an unreadable time stores nothing, and the error names the memory', async () => {
  const memories = [{ content: 'A first crow' }, { content: 'A second crow', timestamp: 'some day' }];
  const { error, field } = await request('POST /memory/batch', { memories }, 400);
  expect(error).toMatch(/^Invalid memory at index 1: 'timestamp' cannot be read: 'some day'/);
  expect(field).toBe('timestamp');
  expect(await recall({ query: 'crow' })).toEqual([]);
});

test('a batch of edges fails only for the edge whose time is unreadable', async () => {
  const ends = { memory1_id: idOf('new'), memory2_id: idOf('old'), type: 'INVALIDATED_BY' };
  const associations = [
    { ...ends, timestamp: 'some day' },
    { ...ends, timestamp: 'today' },
  ];
  const answer = await request('POST /associate', { associations }, 207);
  expect(answer).toMatchObject({ failed_count: 1, created_count: 1 });
});

test('a missing memory is reported before an unreadable time', async () => {
  const unknown = '00000000-0000-4000-8000-000000000000';
  await request(`PATCH /memory/${unknown}`, { timestamp: 'some day' }, 404);
});

test('MCP tools accept times in words', async () => {
  const { call, close } = await connectClient(memory.engine);
  await call('store_memory', { content: 'A kestrel in the tower', timestamp: 'yesterday at 15:42' });
  const text = textOf(await call('recall_memory', { query: 'kestrel', start: 'yesterday', end: 'yesterday' }));
  expect(text).toContain('created from 2026-02-28 to 2026-02-28');
  expect(text).toContain('1. A kestrel in the tower\n2026-02-28 ');
  const refused = await call('recall_memory', { query: 'kestrel', end: 'some day' });
  expect(refused.isError).toBe(true);
  expect(textOf(refused)).toContain('Field: end');
  await close();
});

test('other work runs while a batch with times in words is read', async () => {
  const now = { nowMs: Date.parse(`${SUNDAY}T12:00:00Z`), zone: UTC };
  const given = Array.from({ length: 400 }, () => ({
    content: 'A swift',
    tags: [],
    importance: 0.5,
    metadata: {},
    timestamp: '3 May',
    updated_at: '4 May',
    last_accessed: '5 May',
    t_valid: 'yesterday',
    t_invalid: 'tomorrow',
  }));
  await memoriesWithTimes(given, now);
  let turns = 0;
  let isRead = false;
  const count = () => {
    turns += 1;
    if (!isRead) setImmediate(count);
  };
  setImmediate(count);
  const read = await memoriesWithTimes(given, now);
  isRead = true;
  expect(read.every(({ timestamp }) => timestamp === '2025-05-03T00:00:00.000Z')).toBe(true);
  expect(turns).toBeGreaterThan(2);
});
