/** Of two notes about the same thing the newer note is placed first, and the older note may be marked as outdated. */
import { describe, expect, test } from 'vitest';
import { openRecallApp, type Stored } from './recall-app.js';

const { ask, recall, store, associate, idOf, nameOf } = await openRecallApp();

const OLD = '2025-02-03T09:00:00Z';
const NEW = '2025-09-15T14:00:00Z';
const PORT = 'On which port does the Heron gateway listen?';

/** A pair of notes about the port of `name`. The older note is more important, so it would otherwise rank first. */
function ports(name: string, more: Partial<Stored> = {}): Record<string, Stored> {
  return {
    [`${name}:old`]: {
      content: `The ${name} gateway listens on port 4100`,
      timestamp: OLD,
      importance: 0.9,
      ...more,
    },
    [`${name}:new`]: { content: `The ${name} gateway listens on port 4700`, timestamp: NEW, importance: 0.3, ...more },
  };
}

const askFor = (name: string) => PORT.replace('Heron', name);
const both = (name: string) => [`${name}:new`, `${name}:old`];

/** The marked results among `names`, each with the name of the newer note in its `maybe_outdated_by`. */
async function marksOf(names: readonly string[], parameters: Record<string, string>): Promise<Record<string, string>> {
  const { results } = await ask(parameters);
  const marked = results.filter((result: { maybe_outdated_by?: string }) => result.maybe_outdated_by !== undefined);
  const marks = marked.map((result: { id: string; maybe_outdated_by: string }) => [
    nameOf(result.id),
    nameOf(result.maybe_outdated_by),
  ]);
  return Object.fromEntries(marks.filter(([name]: [string]) => names.includes(name)));
}

test('recall: the newer of two contradicting notes ranks first, and the older note names the newer note', async () => {
  await store(ports('Heron'));
  const { results } = await ask({ query: PORT });
  expect(results.map(({ id }: { id: string }) => id)).toEqual(both('Heron').map(idOf));
  expect(results[0]).not.toHaveProperty('maybe_outdated_by');
  expect(results[1].maybe_outdated_by).toBe(idOf('Heron:new'));
});

test('recall: the last of three contradicting versions ranks first, then the other versions in order', async () => {
  const content = (month: number) => `The deposit of the Sandgate flat is ${month}00 euro`;
  await store(
    Object.fromEntries(
      [1, 5, 9].map(month => [
        `deposit ${month}`,
        { content: content(month), timestamp: `2025-0${month}-10T10:00:00Z`, importance: 1 - month / 10 },
      ]),
    ),
  );
  const query = 'How high is the deposit of the Sandgate flat?';
  expect(await recall({ query, limit: '3' })).toEqual(['deposit 9', 'deposit 5', 'deposit 1']);
  expect(await marksOf(['deposit 1', 'deposit 5', 'deposit 9'], { query })).toEqual({
    'deposit 1': 'deposit 9',
    'deposit 5': 'deposit 9',
  });
});

test('recall: the newer note also ranks first when several queries are merged', async () => {
  await store(ports('Bittern'));
  const queries = ['port of the Bittern gateway', 'Bittern gateway listens'];
  const { results } = await ask({ queries });
  const ids = results.map(({ id }: { id: string }) => id).slice(0, 2);
  expect(ids).toEqual(both('Bittern').map(idOf));
});

describe('recall: contradicting notes that are joined by an edge', () => {
  test('of supersession: the superseded note is left out, and no note is marked', async () => {
    await store(ports('Pipit'));
    await associate('Pipit:old', 'INVALIDATED_BY', 'Pipit:new');
    const { results } = await ask({ query: askFor('Pipit') });
    expect(results[0]).toMatchObject({ id: idOf('Pipit:new'), state_replaces: idOf('Pipit:old') });
    expect(results.map(({ id }: { id: string }) => id)).not.toContain(idOf('Pipit:old'));
    expect(await marksOf(both('Pipit'), { query: askFor('Pipit') })).toEqual({});
  });

  test.each([
    ['CONTRADICTS', 'Plover'],
    ['RELATES_TO', 'Dunnock'],
    ['REINFORCES', 'Wagtail'],
  ])('of type %s are neither reordered nor marked', async (type, name) => {
    await store(ports(name));
    expect(await recall({ query: askFor(name), limit: '2' })).toEqual(both(name));
    await associate(`${name}:new`, type, `${name}:old`);
    expect(await recall({ query: askFor(name), limit: '2' })).toEqual(both(name).reverse());
    expect(await marksOf(both(name), { query: askFor(name) })).toEqual({});
  });

  test('of type PRECEDED_BY, which the system creates, are still reordered and marked', async () => {
    await store(ports('Whimbrel', { tags: ['project:whimbrel', 'gateway'] }));
    const { results } = await ask({ query: askFor('Whimbrel') });
    expect(results[1].relations.map(({ type }: { type: string }) => type)).toContain('PRECEDED_BY');
    expect(results[1].maybe_outdated_by).toBe(idOf('Whimbrel:new'));
  });
});

describe('recall: notes are neither reordered nor marked when they are', () => {
  test('turns of a conversation', async () => {
    await store(ports('Siskin', { tags: ['conversation:7'] }));
    expect(await recall({ query: askFor('Siskin'), limit: '2' })).toEqual(both('Siskin').reverse());
    expect(await marksOf(both('Siskin'), { query: askFor('Siskin') })).toEqual({});
  });

  test('sorted by time, shown with history, or listed', async () => {
    await store(ports('Redshank', { tags: ['redshank'] }));
    const query = askFor('Redshank');
    expect(await recall({ query, tags: 'redshank', sort: 'time_asc' })).toEqual(both('Redshank').reverse());
    const ways: Record<string, string>[] = [
      { query, tags: 'redshank', sort: 'time_asc' },
      { query, state_mode: 'history' },
      { tags: 'redshank' },
    ];
    for (const parameters of ways) {
      expect(await marksOf(both('Redshank'), parameters)).toEqual({});
    }
    expect(await recall({ query, state_mode: 'history', limit: '2' })).toEqual(both('Redshank').reverse());
  });

  test('found by a query that names a date or asks for the past', async () => {
    await store(ports('Twite'));
    expect((await recall({ query: askFor('Twite') }))[0]).toBe('Twite:new');
    for (const when of ['on 3 February 2025', 'originally']) {
      const query = `On which port did the Twite gateway listen ${when}?`;
      expect((await recall({ query }))[0]).toBe('Twite:old');
      expect(await marksOf(both('Twite'), { query })).toEqual({});
    }
  });

  test('noted at the same time', async () => {
    await store(ports('Godwit', { timestamp: OLD }));
    expect(await recall({ query: askFor('Godwit'), limit: '2' })).toEqual(both('Godwit').reverse());
    expect(await marksOf(both('Godwit'), { query: askFor('Godwit') })).toEqual({});
  });

  test('about two different projects', async () => {
    const { 'Knot:old': old, 'Knot:new': newer } = ports('Knot') as Record<string, Stored>;
    await store({
      'Knot:old': { ...(old as Stored), tags: ['project:one'] },
      'Knot:new': { ...(newer as Stored), tags: ['project:two'] },
    });
    expect(await recall({ query: askFor('Knot'), limit: '2' })).toEqual(both('Knot').reverse());
    expect(await marksOf(both('Knot'), { query: askFor('Knot') })).toEqual({});
  });

  test('a pair whose newer note does not contain the name in the query', async () => {
    await store({
      asked: { content: 'Osprey runs in the region Malmo', timestamp: OLD, importance: 0.5 },
      other: { content: 'Harrier runs in the region Tampere', timestamp: NEW, importance: 0.5 },
    });
    expect((await recall({ query: 'In which region does Osprey run?' }))[0]).toBe('asked');
  });
});

test('recall: notes that differ in more than a value are reordered but not marked', async () => {
  await store({
    black: { content: 'Ottilie drinks her coffee black', timestamp: OLD, importance: 0.9 },
    milk: { content: 'Ottilie takes oat milk in her coffee', timestamp: NEW, importance: 0.3 },
  });
  const query = 'How does Ottilie drink her coffee?';
  expect(await recall({ query, limit: '2' })).toEqual(['milk', 'black']);
  expect(await marksOf(['black', 'milk'], { query })).toEqual({});
});
