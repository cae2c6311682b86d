/** Which memories a conversation gets at its start, in which order, and not twice. */
import { describe, expect, test } from 'vitest';
import { openForTest } from '../engine/open-engine.js';
import { createTestApp, send } from '../http/test-app.js';

async function openStarts() {
  const memory = await openForTest();
  const app = createTestApp({ engine: memory.engine, log: memory.log });
  const call = async (route: string, json: object) => {
    const { status, body } = await send(app, route, { json });
    expect(status).toBe(200);
    return linesOf(body.hookSpecificOutput?.additionalContext);
  };
  return {
    ...memory,
    app,
    prefers: (content: string, fields: object = {}) =>
      memory.add({ content, type: 'Preference', importance: 0.8, ...fields }),
    start: (fields: object = {}) =>
      call('POST /hooks/session-start', { session_id: 's1', project: 'acme/shop', ...fields }),
    prompt: (prompt: string, fields: object = {}) =>
      call('POST /hooks/prompt', { session_id: 's1', project: 'acme/shop', prompt, ...fields }),
  };
}

/** The contents of the memories in a text for the assistant. */
function linesOf(text = ''): string[] {
  return text.split('\n').flatMap(line => /^- \([^)]*\) (.*)$/.exec(line)?.[1] ?? []);
}

describe('the start of a conversation', () => {
  test('gets preferences before memories of the project, and those of other projects last', async () => {
    const { add, prefers, start } = await openStarts();
    await add({ content: 'Orders are in PostgreSQL.', tags: ['project:acme/shop'], importance: 1 });
    await prefers('Elsewhere, amounts are in dollars.', { tags: ['project:acme/ledger'], importance: 0.95 });
    await prefers('Answers are short.', { importance: 0.75 });
    await prefers('Components are functions.', { tags: ['project:acme/shop:web'], type: 'Style', importance: 0.9 });
    await prefers('All of acme writes British English.', { tags: ['project:acme'], type: 'Habit', importance: 0.7 });
    await prefers('Dark themes are nice.', { importance: 0.69 });
    expect(await start()).toEqual([
      'Components are functions.',
      'Answers are short.',
      'All of acme writes British English.',
      'Elsewhere, amounts are in dollars.',
      'Orders are in PostgreSQL.',
    ]);
  });

  test('gets up to five memories for every conversation, and up to five of the project', async () => {
    const { storeMany, start } = await openStarts();
    const both = (from: number, fields: object) =>
      Array.from({ length: 9 }, (_, index) => ({ content: `Fact ${from + index} is worth knowing.`, ...fields }));
    await storeMany([
      ...both(10, { type: 'Preference', importance: 0.8 }),
      ...both(20, { tags: ['project:acme/shop'], importance: 0.9, type: 'Decision' }),
    ]);
    const given = await start();
    expect(given).toHaveLength(10);
    expect(given.slice(0, 5).every(line => line.startsWith('Fact 1'))).toBe(true);
  });

  test('never gets both sides of a replacement, and a current version stands in for a former one; a guess hides nothing', async () => {
    const { add, app, engine, prefers, start } = await openStarts();
    const old = await prefers('The shop uses npm.');
    const newer = { content: 'The shop uses pnpm.', type: 'Preference', importance: 0.3, supersedes_memory_id: old };
    expect((await send(app, 'POST /memory', { json: newer })).status).toBe(201);
    await prefers('Prices were net.', { t_invalid: '2026-01-01' });
    const [january, february] = ['2026-01-05T09:00:00Z', '2026-02-05T09:00:00Z'];
    const lesson = { tags: ['lesson'], importance: 0.9 };
    await prefers('Trailhead costs 29 euros a year, with a 14 day trial.', { timestamp: january });
    await prefers('Trailhead costs 39 euros a year, with a 14 day trial.', { timestamp: february });
    await add({ content: 'The key list has 4 names.', timestamp: january, ...lesson });
    await add({ content: 'The key list has 9 names.', timestamp: february, ...lesson });
    await engine.idle();
    expect((await start()).sort()).toEqual([
      'The key list has 4 names.',
      'The key list has 9 names.',
      'The shop uses pnpm.',
      'Trailhead costs 29 euros a year, with a 14 day trial.',
      'Trailhead costs 39 euros a year, with a 14 day trial.',
    ]);
    expect((await engine.startupRecall()).lessons).toHaveLength(2);
  });

  test('finds memories of the project under its former names', async () => {
    const { add, engine, start } = await openStarts();
    await add({ content: 'Tills open at nine.', tags: ['project:shop'] });
    await add({ content: 'Tills of the garden.', tags: ['project:garden'] });
    expect(await start({ former_projects: ['shop'] })).toEqual(['Tills open at nine.']);
    expect(await engine.projects.list()).toEqual([{ project: 'acme/shop', formerName: 'shop', memoryCount: 1 }]);
    expect(await start({ session_id: 's2', cwd: '/home/ann/garden' })).toEqual(['Tills open at nine.']);
  });

  test('knows the project from the working folder, also from one that does not exist here', async () => {
    const { add, start } = await openStarts();
    await add({ content: 'Tills of the garden.', tags: ['project:garden'] });
    expect(await start({ project: undefined, cwd: '/home/ann/Garden' })).toEqual(['Tills of the garden.']);
    expect(await start({ session_id: 's2', project: '', cwd: 'C:\\code\\garden' })).toEqual(['Tills of the garden.']);
  });
});

describe('a memory', () => {
  test('is given once in a conversation, and again after its host has shortened it', async () => {
    const { prefers, clock, start, prompt } = await openStarts();
    await prefers('Ann wants the database of the orders to be PostgreSQL.');
    const line = ['Ann wants the database of the orders to be PostgreSQL.'];
    expect(await start({ source: 'startup' })).toEqual(line);
    expect(await prompt('Which database does Ann want for the orders?')).toEqual([]);
    expect(await start({ source: 'resume' })).toEqual([]);
    clock.advance(60_000);
    expect(await start({ source: 'compact' })).toEqual(line);
    expect(await prompt('Which database does Ann want for the orders?')).toEqual([]);
    expect(await start({ session_id: 's2' })).toEqual(line);
  });

  test('is given once with the first prompt, even if it answers the prompt and is a preference', async () => {
    const { prefers, engine, prompt } = await openStarts();
    await prefers('Ann wants the database of the orders to be PostgreSQL.');
    await prefers('Ann drinks tea.');
    expect(await prompt('Which database does Ann want for the orders?')).toEqual([
      'Ann wants the database of the orders to be PostgreSQL.',
      'Ann drinks tea.',
    ]);
    const [session] = await engine.hooks.log({ limit: 1 });
    expect(session?.injections.map(({ event, memories }) => [event, memories.length])).toEqual([
      ['prompt', 1],
      ['session_start', 1],
    ]);
  });

  test('that says the same as another one is left out', async () => {
    const { prefers, add, start } = await openStarts();
    await prefers('Answers are short.', { tags: ['project:acme/ledger'] });
    await prefers('Answers are short.');
    await add({ content: 'answers are short.', tags: ['project:acme/shop'] });
    expect(await start()).toEqual(['Answers are short.']);
  });
});
