/** The context of a memory is evidence too: its date, the question that it answers, and its conversation. */
import { beforeAll, describe, expect, test } from 'vitest';
import { openRecallApp } from './recall-app.js';

const { ask, recall, store, idOf } = await openRecallApp();

const at = (time: string) => `2026-02-${time}:00Z`;
const talk = (content: string, time: string, tag: string) => ({ content, tags: [tag], timestamp: at(time) });

beforeAll(async () => {
  await store({
    // Memories with dates, outside of conversations. The clock of the tests is set to March 2026.
    early: { content: 'Sprint review: the importer is slow', tags: ['work'], timestamp: '2026-01-12T09:00:00Z' },
    onTheDay: { content: 'Sprint review: the exporter is slow', tags: ['work'], timestamp: '2026-01-26T09:00:00Z' },
    dayAfter: { content: 'Sprint review: the parser is slow', tags: ['work'], timestamp: '2026-01-28T09:00:00Z' },
    spelled: { content: 'Sprint review moved to 9 February', tags: ['work'], timestamp: '2026-01-02T09:00:00Z' },
    unrelated: { content: 'Bought oat milk', tags: ['home'], timestamp: '2026-01-26T18:00:00Z' },
    may: { content: 'The printer may jam', tags: ['office'], timestamp: '2025-05-10T09:00:00Z' },
    june: { content: 'The printer may jam again', tags: ['office'], timestamp: '2025-06-10T09:00:00Z' },
    // A question with its reply, and a question without a reply.
    asked: talk('Ann: Which harbour does the ferry leave from?', '03T10:00', 'chat:ferry'),
    reply: talk('Bo: Pier nine, opposite the old mill.', '03T10:01', 'chat:ferry'),
    alone: talk('Which harbour does the trawler leave from?', '04T10:00', 'note'),
    // Turns of one conversation. Only the first turn names its subject.
    subject: talk('Cem: The greenhouse needs a new pump', '05T10:00', 'chat:garden'),
    first: talk('Dee: I agree', '05T10:01', 'chat:garden'),
    second: talk('Cem: It is long overdue', '05T10:02', 'chat:garden'),
    third: talk('Dee: Sure', '05T10:03', 'chat:garden'),
    budget: talk('Cem: The budget allows two hundred euro', '05T10:04', 'chat:garden'),
    otherBudget: talk('Eve: The budget allows two hundred pounds', '06T10:00', 'chat:house'),
  });
});

/** The evidence that other memories of the conversation lend to a result. */
async function lent(query: string, name: string) {
  const { results } = await ask({ query, explain: 'true', limit: '20' });
  const result = results.find(({ id }: { id: string }) => id === idOf(name));
  return { amount: result?.score_components.neighbour ?? 0, by: result?.explanation.lent_by ?? [], result };
}

/** Presence of a term in the content of a result, from 0 to 1. */
async function presence(query: string, name: string, term: string): Promise<number | undefined> {
  const { results } = await ask({ query, explain: 'true', limit: '20' });
  const result = results.find(({ id }: { id: string }) => id === idOf(name));
  return result?.explanation.terms.find((each: { term: string }) => each.term === term)?.in_content;
}

describe('a date in the query', () => {
  test('ranks memories noted that day above memories that only share words', async () => {
    expect((await recall({ query: 'Which sprint review was on 26 January 2026?', limit: '4' }))[0]).toBe('onTheDay');
    expect((await recall({ query: 'Which sprint review was on 12 January 2026?', limit: '4' }))[0]).toBe('early');
  });
  test.each(['January 26, 2026', '26th of January 2026', '2026-01-26', 'Jan 26'])(
    'is recognised in "%s"',
    async date => {
      expect((await recall({ query: `sprint review ${date}`, limit: '4' }))[0]).toBe('onTheDay');
    },
  );
  test('counts less for memories of the following week, and does not count for earlier memories', async () => {
    const query = 'sprint review on 26 January 2026';
    expect(await presence(query, 'onTheDay', '26')).toBe(1);
    expect(await presence(query, 'dayAfter', '26')).toBe(0.5);
    expect(await presence(query, 'early', '26')).toBe(0);
  });
  test('finds memories noted that day even if no other word matches', async () => {
    const { results } = await ask({ query: 'What happened on 26 January 2026?', explain: 'true', limit: '5' });
    const found = results.find(({ id }: { id: string }) => id === idOf('unrelated'));
    expect(found.explanation.found_by).toContain('date');
  });
  test('also finds memories with this date in their text', async () => {
    expect((await recall({ query: 'What moved to 9 February?', limit: '3' }))[0]).toBe('spelled');
  });
  test('is recognised in "in May", but not in the verb "may"', async () => {
    expect((await recall({ query: 'Did the printer jam in May?', limit: '2' }))[0]).toBe('may');
    expect(await presence('may the printer jam', 'june', 'jam')).toBe(1);
    const { results } = await ask({ query: 'may the printer jam', explain: 'true', limit: '5' });
    for (const { explanation } of results) expect(explanation.found_by).not.toContain('date');
  });
  test.each(['review score 26/1', 'review in Python 3.5', 'review now', 'review on 26 January 2027', 'may the review'])(
    'is not recognised in "%s"',
    async query => {
      const { results } = await ask({ query, explain: 'true', limit: '5' });
      expect(results.length).toBeGreaterThan(0);
      for (const { explanation } of results) expect(explanation.found_by).not.toContain('date');
    },
  );
  test('finds only memories within the time window and the tags', async () => {
    expect(
      await recall({ query: 'What happened on 26 January 2026?', tags: 'work', end: '2026-01-20T00:00:00Z' }),
    ).not.toContain('onTheDay');
    expect(await recall({ query: 'What happened on 26 January 2026?', tags: 'work' })).not.toContain('unrelated');
  });
});

describe('a question and its reply in one conversation', () => {
  const query = 'Which harbour does the ferry leave from?';
  test('a reply without words of the query borrows evidence from its question, named in lent_by', async () => {
    const { amount, by } = await lent(query, 'reply');
    expect(amount).toBeGreaterThan(0.5);
    expect(by[0]).toMatchObject({ id: idOf('asked'), amount: expect.any(Number) });
    expect(await presence(query, 'reply', 'ferri')).toBe(0);
  });
  test('the question keeps its own evidence', async () => {
    expect(await presence(query, 'asked', 'ferri')).toBe(1);
    expect((await recall({ query, limit: '2' })).sort()).toEqual(['asked', 'reply']);
  });
  test('another question keeps its own evidence if it has no reply', async () => {
    expect(await presence('trawler harbour', 'alone', 'trawler')).toBe(1);
  });
});

describe('a conversation about one subject', () => {
  test('lends evidence to one of its turns, which ranks above a similar turn of another conversation', async () => {
    const query = 'greenhouse pump budget';
    const results = await recall({ query, limit: '10' });
    expect(results.indexOf('budget')).toBeLessThan(results.indexOf('otherBudget'));
    expect((await lent(query, 'budget')).amount).toBeGreaterThan(0);
    expect((await lent(query, 'otherBudget')).amount).toBe(0);
  });
  test.each([
    ['metadata.session_id', { metadata: { session_id: 'bee-1' } }],
    ['metadata.thread_id', { metadata: { thread_id: 7 } }],
    ['a tag session:', { tags: ['session:bee'] }],
  ])('is recognised by %s', async (_name, marks) => {
    const word = `hive${JSON.stringify(marks).length}`;
    const shared = { tags: ['bees'], ...marks };
    const tags = [...shared.tags, word];
    await store({
      [`${word} asked`]: { ...shared, tags, content: `Where does the ${word} stand?`, timestamp: at('07T10:00') },
      [`${word} reply`]: { ...shared, tags, content: 'Behind the lime tree', timestamp: at('07T10:01') },
    });
    const amount = (await lent(`Where does the ${word} stand?`, `${word} reply`)).amount;
    expect(amount).toBeGreaterThan(0.2);
  });
  test('is not assumed for memories that share only a project and were noted one minute apart', async () => {
    const note = (content: string, minute: string) => ({
      content,
      tags: ['project:quay'],
      timestamp: at(`08T10:${minute}`),
    });
    await store({ mail: note('Emails are sent by Postmark', '00'), payment: note('Adyen takes the payments', '01') });
    expect((await lent('Adyen', 'mail')).amount).toBe(0);
    expect(await recall({ query: 'Who is Adyen?', limit: '5' })).not.toContain('mail');
  });
});
