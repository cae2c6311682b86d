/** A successor stands where its predecessors would (D48). */
import { beforeAll, describe, expect, test } from 'vitest';
import { openRecallApp } from './recall-app.js';

const { ask, recall, request, store, associate, idOf, nameOf } = await openRecallApp();

const QUESTION = 'What framework is Trailhead built with?';

beforeAll(async () => {
  const fillers = Array.from({ length: 300 }, (_, index) => ({
    content: `Framework note ${index}: the app number ${index} is built with framework ${index % 17}`,
    tags: [`filler-${index}`],
  }));
  await request('POST /memory/batch', fillers, 201);
  await store({
    react: { content: 'Trailhead, the hiking app, is built with React Native and Expo.', tags: ['area:apps'] },
    flutter: { content: 'It was rewritten in Flutter because map jank could not be fixed.', tags: ['area:mobile'] },
  });
  await associate('react', 'INVALIDATED_BY', 'flutter');
});

describe('recall: the successor of a memory', () => {
  test('is first for the words of the memory that it supersedes, whatever its own words', async () => {
    for (const limit of ['1', '5', '20', '100']) {
      const names = await recall({ query: QUESTION, limit });
      expect(names[0]).toBe('flutter');
      expect(names).not.toContain('react');
    }
  });

  test('has the score of its predecessor, with the difference as the component inherited', async () => {
    const { results, confidence } = await ask({ query: QUESTION, explain: 'true' });
    const [first] = results;
    const history = await ask({ query: QUESTION, state_mode: 'history' });
    const react = history.results.find(({ id }: { id: string }) => nameOf(id) === 'react');
    expect(first).toMatchObject({ inherited_from: idOf('react'), state_replaces: idOf('react') });
    expect(first.final_score).toBe(react.final_score);
    expect(first.score_components.inherited).toBeGreaterThan(0);
    expect(first.explanation.components.inherited).toMatchObject({ weight: 1 });
    expect(confidence).toBe(history.confidence);
    expect(confidence).not.toBe('none');
  });

  test('comes directly before its predecessor in a recall with history', async () => {
    const names = await recall({ query: QUESTION, state_mode: 'history' });
    expect(names.slice(0, 2)).toEqual(['flutter', 'react']);
  });

  test('inherits nothing if its own score is higher', async () => {
    const { results } = await ask({ query: 'Why was it rewritten in Flutter, map jank?' });
    expect(nameOf(results[0].id)).toBe('flutter');
    expect(results[0].score_components.inherited).toBe(0);
    expect(results[0]).not.toHaveProperty('inherited_from');
  });

  test('is filtered as itself', async () => {
    expect(await recall({ query: QUESTION, tags: 'area:mobile' })).toEqual(['flutter']);
    expect(await recall({ query: QUESTION, tags: 'area:apps' })).toEqual([]);
    expect(await recall({ query: QUESTION, exclude_tags: 'area:mobile' })).not.toContain('flutter');
  });

  test('reaches the minimum score with its inherited score', async () => {
    const { results } = await ask({ query: QUESTION, limit: '1' });
    const least = String(results[0].final_score - 0.01);
    expect(await recall({ query: QUESTION, min_score: least })).toEqual(['flutter']);
  });
});

describe('recall: chains and forks', () => {
  test('the last memory of a chain inherits from the best of all earlier ones', async () => {
    await store({
      lisbon: { content: 'The winter conference of Saffronbird is in Lisbon' },
      oslo: { content: 'The venue in Portugal burned down, so we go to Oslo' },
      ghent: { content: 'Too cold; Ghent it is' },
      malmo: { content: 'Final choice: Malmö' },
    });
    await associate('lisbon', 'EVOLVED_INTO', 'oslo');
    await associate('oslo', 'INVALIDATED_BY', 'ghent');
    await associate('ghent', 'EVOLVED_INTO', 'malmo');
    const names = await recall({ query: 'Where is the winter conference of Saffronbird?', limit: '5' });
    expect(names[0]).toBe('malmo');
    expect(names).toEqual(expect.not.arrayContaining(['lisbon', 'oslo', 'ghent']));
  });

  test('both ends of a fork stand where the first memory would', async () => {
    await store({
      monolith: { content: 'Harbourmaster is one monolith on a single server' },
      billing: { content: 'Invoices have a service of their own since March' },
      tides: { content: 'Tide tables are computed by a separate worker' },
    });
    await associate('monolith', 'EVOLVED_INTO', 'billing');
    await associate('monolith', 'EVOLVED_INTO', 'tides');
    const names = await recall({ query: 'Is Harbourmaster one monolith on a server?', limit: '2' });
    expect(names.sort()).toEqual(['billing', 'tides']);
  });

  test('branches that meet again have one end', async () => {
    await store({
      start: { content: 'Quillback exports to XML' },
      left: { content: 'It exports to JSON' },
      right: { content: 'It exports to YAML' },
      end: { content: 'Parquet is the only format left' },
    });
    for (const [from, to] of [
      ['start', 'left'],
      ['start', 'right'],
      ['left', 'end'],
      ['right', 'end'],
    ] as const) {
      await associate(from, 'INVALIDATED_BY', to);
    }
    const names = await recall({ query: 'To which format does Quillback export, XML?', limit: '3' });
    expect(names[0]).toBe('end');
    expect(names).toEqual(expect.not.arrayContaining(['start', 'left', 'right']));
  });

  test('only the end beyond a cycle counts if a chain leaves the cycle', async () => {
    await store({
      origin: { content: 'Gantry lists ferries by name' },
      loop: { content: 'It lists them by length' },
      again: { content: 'It lists them by tonnage' },
      beyond: { content: 'The list is gone' },
    });
    for (const [from, to] of [
      ['origin', 'loop'],
      ['loop', 'again'],
      ['again', 'loop'],
      ['loop', 'beyond'],
    ] as const) {
      await associate(from, 'INVALIDATED_BY', to);
    }
    const names = await recall({ query: 'How does Gantry list ferries?', limit: '5' });
    expect(names[0]).toBe('beyond');
    expect(names).toEqual(expect.not.arrayContaining(['origin', 'loop', 'again']));
  });

  test('of two memories that supersede each other the newer one is returned, and history returns both', async () => {
    await store({
      tick: { content: 'Metronome runs at 60 beats', timestamp: '2026-01-01' },
      tock: { content: 'Metronome runs at 80 beats', timestamp: '2026-01-02' },
    });
    await associate('tick', 'INVALIDATED_BY', 'tock');
    await associate('tock', 'INVALIDATED_BY', 'tick');
    const current = await recall({ query: 'Metronome beats', limit: '5' });
    expect(current.filter(name => name === 'tick' || name === 'tock')).toEqual(['tock']);
    const history = await recall({ query: 'Metronome beats', state_mode: 'history', limit: '20' });
    expect(history.filter(name => name === 'tick' || name === 'tock').sort()).toEqual(['tick', 'tock']);
  });
});

test('recall: in an order of time, a successor has its place for every limit', async () => {
  const notes = Array.from({ length: 130 }, (_, index) => ({
    content: `Lighthouse log ${index}: lamp oil and keeper rota`,
    timestamp: new Date(Date.UTC(2026, 0, 1 + index)).toISOString(),
  }));
  await request('POST /memory/batch', notes, 201);
  await store({
    weak: { content: 'An old lamp', timestamp: '2020-01-01T00:00:00Z' },
    zebra: { content: 'Stripes', timestamp: '2027-01-01T00:00:00Z' },
  });
  await associate('weak', 'INVALIDATED_BY', 'zebra');
  const query = 'lighthouse lamp oil keeper rota';
  const longest = await recall({ query, sort: 'time_desc', limit: '100' });
  for (const limit of [1, 3, 10, 50]) {
    expect(await recall({ query, sort: 'time_desc', limit: String(limit) })).toEqual(longest.slice(0, limit));
  }
});
