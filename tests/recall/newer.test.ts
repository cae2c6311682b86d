/** Order is the score: a newer note passes an older one only if it covers what the older one covers (D47). */
import { describe, expect, test } from 'vitest';
import { openRecallApp, type Stored } from './recall-app.js';

const { ask, recall, store, associate, request, idOf, nameOf } = await openRecallApp();

const OLD = '2026-01-05T09:00:00Z';
const NEW = '2026-02-10T14:00:00Z';

interface Result {
  id: string;
  final_score: number;
  score_components: { newer: number };
}

/** Two notes about the port of one gateway. The older one is more important, so its own score is higher. */
const ports = (name: string): Record<string, Stored> => ({
  [`${name}:old`]: { content: `The ${name} gateway listens on port 4100`, timestamp: OLD, importance: 0.9 },
  [`${name}:new`]: { content: `The ${name} gateway now listens on port 4700`, timestamp: NEW, importance: 0.3 },
});
const portOf = (name: string) => `On which port does the ${name} gateway listen?`;

describe('recall: a newer note that covers every word that the older one covers', () => {
  test('comes first, by the component newer of its score', async () => {
    await store(ports('Heron'));
    const { results, sort } = await ask({ query: portOf('Heron'), explain: 'true' });
    expect(results.map(({ id }: Result) => nameOf(id))).toEqual(['Heron:new', 'Heron:old']);
    expect(sort).toBe('score');
    const [first, second] = results;
    expect(first.final_score).toBeGreaterThan(second.final_score);
    expect(first.score_components.newer).toBeGreaterThan(0);
    expect(first.explanation.components.newer).toMatchObject({ weight: 1, evidence: first.score_components.newer });
    expect(second.score_components.newer).toBe(0);
  });

  test('comes first for every limit', async () => {
    for (const limit of ['1', '2', '20']) {
      expect((await recall({ query: portOf('Heron'), limit }))[0]).toBe('Heron:new');
    }
  });

  test('is explained by why-not', async () => {
    const answer = await request(
      `GET /recall/why-not?${new URLSearchParams({ id: idOf('Heron:new'), query: portOf('Heron') })}`,
    );
    expect(answer.explanation.components.newer.contribution).toBeGreaterThan(0);
  });

  test('reaches a minimum score with its pass', async () => {
    const { results } = await ask({ query: portOf('Heron') });
    const least = String(results[1].final_score);
    expect((await recall({ query: portOf('Heron'), min_score: least }))[0]).toBe('Heron:new');
  });

  test('is the last of several versions', async () => {
    const version = (month: number) => ({
      content: `The deposit of the Sandgate flat is ${month}00 euro`,
      timestamp: `2025-0${month}-10T10:00:00Z`,
      importance: 1 - month / 10,
    });
    await store({ 'deposit 1': version(1), 'deposit 5': version(5), 'deposit 9': version(9) });
    expect((await recall({ query: 'How high is the deposit of the Sandgate flat?', limit: '3' }))[0]).toBe('deposit 9');
  });

  test('comes first when several queries are merged', async () => {
    await store(ports('Bittern'));
    const names = await recall({ queries: ['port of the Bittern gateway', 'Bittern gateway listens'] });
    expect(names[0]).toBe('Bittern:new');
  });

  test('does not pass an older note that was superseded by a third one', async () => {
    await store({
      ...ports('Pipit'),
      'Pipit:last': { content: 'The Pipit gateway is reached over a socket', timestamp: NEW },
    });
    await associate('Pipit:old', 'INVALIDATED_BY', 'Pipit:last');
    expect(await recall({ query: portOf('Pipit'), limit: '3' })).not.toContain('Pipit:old');
  });
});

describe('recall: the newer note stays behind', () => {
  test('if the older note is named by the caller, or has the tags of its context', async () => {
    const notes = ports('Dunlin');
    await store({
      'Dunlin:old': { ...notes['Dunlin:old'], tags: ['focus'] } as Stored,
      'Dunlin:new': notes['Dunlin:new'] as Stored,
    });
    const query = portOf('Dunlin');
    expect((await recall({ query }))[0]).toBe('Dunlin:new');
    expect((await recall({ query, priority_ids: idOf('Dunlin:old') }))[0]).toBe('Dunlin:old');
    expect((await recall({ query, context_tags: 'focus' }))[0]).toBe('Dunlin:old');
  });

  test('if the other one has the place of a note that it supersedes', async () => {
    await store({
      'Smew:old': { content: 'The Smew shop uses PostgreSQL as its database', timestamp: OLD },
      'Smew:heir': { content: 'Since May the Smew shop runs on CockroachDB', timestamp: NEW },
      'Smew:other': { content: 'The Smew shop is closed on Sundays', timestamp: '2026-03-01T09:00:00Z' },
    });
    await associate('Smew:old', 'INVALIDATED_BY', 'Smew:heir');
    const names = await recall({ query: 'Which database does the Smew shop use?', limit: '3' });
    expect(names[0]).toBe('Smew:heir');
  });

  test.each([
    [
      'token',
      'Access tokens live for 15 minutes.',
      'Refresh tokens live for 30 days.',
      'How long do access tokens live?',
    ],
    [
      'import',
      'The data import fails when the CSV has a byte order mark; strip it with utf-8-sig.',
      'Another data import of a CSV is planned for Thursday.',
      'Why does the data import of a CSV fail?',
    ],
    [
      'language',
      'C++ code is indented by four spaces.',
      'C# code is indented by two spaces.',
      'How is C++ code indented?',
    ],
    [
      'sharp',
      'F# scripts run before the build.',
      'C# scripts run after the build.',
      'When do F# scripts run, before or after the build?',
    ],
    [
      'release',
      'Release 1.2.3 of Oxbow fixed the crash.',
      'Release 3.2.1 of Oxbow fixed the crash.',
      'Which crash did release 1.2.3 of Oxbow fix?',
    ],
    [
      'address',
      'Host 10.20.30.40 serves the wiki.',
      'Host 10.20.40.30 serves the wiki.',
      'Which host serves the wiki at 10.20.30.40?',
    ],
  ])('if the older note alone has the distinguishing word (%s)', async (key, older, newer, query) => {
    for (const [ages, times] of Object.entries({
      days: [OLD, NEW],
      anHour: ['2026-02-20T10:00:00Z', '2026-02-20T11:30:00Z'],
    })) {
      const [timestamp, later] = times as [string, string];
      const [old, young] = [`${key} ${ages} old`, `${key} ${ages} new`];
      await store({
        [old]: { content: older, timestamp, tags: [`case:${key}-${ages}`] },
        [young]: { content: newer, timestamp: later, tags: [`case:${key}-${ages}`] },
      });
      const { results } = await ask({ query, tags: `case:${key}-${ages}`, tag_match: 'exact' });
      expect(results.map(({ id }: Result) => nameOf(id))).toEqual([old, young]);
      expect(results[0].final_score).toBeGreaterThan(results[1].final_score);
      // A sibling may be suggested, unless the question names what only the older note has.
      if (/[\d+#]/.test(query)) expect(results[0]).not.toHaveProperty('maybe_outdated_by');
      expect(await recall({ query, tags: `case:${key}-${ages}`, tag_match: 'exact', limit: '1' })).toEqual([old]);
    }
  });

  test('if the tags name another subject', async () => {
    await store({
      'lark:old': {
        content: 'The nightly build starts at 02:00',
        timestamp: OLD,
        tags: ['project:lark'],
        importance: 1,
      },
      'wren:new': {
        content: 'The nightly build starts at 04:00',
        timestamp: NEW,
        tags: ['project:wren'],
        importance: 0,
      },
    });
    expect((await recall({ query: 'When does the nightly build start?' }))[0]).toBe('lark:old');
  });

  test('if the question names a date', async () => {
    await store(ports('Twite'));
    const { results } = await ask({ query: `${portOf('Twite')} As of January 5, 2026` });
    expect(results.every(({ score_components }: Result) => score_components.newer === 0)).toBe(true);
  });

  test('in a recall with history or in an order of time', async () => {
    const tags = ['project:dipper'];
    const notes = Object.entries(ports('Dipper')).map(([name, note]) => [name, { ...note, tags }] as const);
    await store(Object.fromEntries(notes));
    for (const [name, value] of [
      ['state_mode', 'history'],
      ['sort', 'time_asc'],
    ] as const) {
      const { results } = await ask({ query: portOf('Dipper'), tags, [name]: value });
      expect(nameOf(results[0].id)).toBe('Dipper:old');
    }
  });

  test('in a conversation', async () => {
    const tags = ['conversation:siskin'];
    const spoken = Object.entries(ports('Siskin')).map(([name, note]) => [name, { ...note, tags }] as const);
    await store(Object.fromEntries(spoken));
    const { results } = await ask({ query: portOf('Siskin'), tags });
    expect(results.every(({ score_components }: Result) => score_components.newer === 0)).toBe(true);
  });
});
