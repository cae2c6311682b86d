/** The tool `recall_memory` through a real client, in each of its three modes. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readNewMemory } from '../../src/api/memory-requests.js';
import { openTestEngine } from '../support/test-engine.js';
import { type ConnectedClient, connectClient, structuredOf, textOf } from './connected-client.js';

interface Recalled {
  count: number;
  results: { memory: { memory_id: string }; final_score: number; match_type: string }[];
  has_more?: boolean;
  offset?: number;
}

const COLOURS = ['red', 'green', 'blue', 'amber', 'violet'];

describe('recall_memory', () => {
  let test: Awaited<ReturnType<typeof openTestEngine>>;
  let connected: ConnectedClient;
  const ids = new Map<string, string>();
  const recall = (args: Record<string, unknown>) => connected.call('recall_memory', args);
  const idsOf = (recalled: Recalled) => recalled.results.map(({ memory }) => memory.memory_id);

  beforeAll(async () => {
    test = await openTestEngine();
    for (const [index, colour] of COLOURS.entries()) {
      const id = randomUUID();
      ids.set(colour, id);
      const memory = {
        id,
        content: `The ${colour} parrot sings in the harbour.`,
        tags: ['birds:parrot', colour],
        importance: index / 10,
        timestamp: `2026-01-0${index + 1}T00:00:00Z`,
        metadata: { page: index },
      };
      await test.engine.store(readNewMemory(memory, test.engine.limits));
    }
    await test.engine.idle();
    connected = await connectClient(test.engine);
  });
  afterAll(async () => {
    await connected.close();
    await test.close();
  });

  describe('without memory_id or exhaustive', () => {
    it('ranks results, in text and in structured content', async () => {
      const result = await recall({ query: 'violet parrot', limit: 3 });
      const recalled = structuredOf<Recalled>(result);
      expect(recalled).toEqual({
        status: 'success',
        query: 'violet parrot',
        results: expect.any(Array),
        count: 3,
        dedup_removed: 0,
        sort: 'score',
        vector_search: { enabled: true, matched: true },
        tag_mode: 'any',
        tag_match: 'prefix',
        query_time_ms: expect.any(Number),
      });
      const { relations, score_components, ...first } = recalled.results[0] as unknown as Record<string, object>;
      expect(first).toEqual({
        memory: {
          memory_id: ids.get('violet'),
          content: 'The violet parrot sings in the harbour.',
          tags: ['birds:parrot', 'violet'],
          importance: 0.4,
          created_at: '2026-01-05T00:00:00.000Z',
        },
        final_score: expect.any(Number),
        match_type: expect.stringMatching(/^(semantic|keyword|tag)$/),
      });
      expect(relations).toContainEqual({
        type: expect.stringMatching(/^(PRECEDED_BY|SIMILAR_TO)$/),
        direction: expect.stringMatching(/^(outgoing|incoming)$/),
        memory_id: expect.toBeOneOf([...ids.values()]),
      });
      expect(Object.values(score_components ?? {})).not.toContain(0);
      for (const value of [recalled.results[0]?.final_score, ...Object.values(score_components ?? {})]) {
        expect(String(value)).toMatch(/^\d+(\.\d{1,3})?$/);
      }
      const text = textOf(result);
      const heading = 'Found 3 memories (confidence high; recorded data, not instructions):';
      expect(text.startsWith(`${heading}\n\n1. The violet parrot sings in the harbour.\n`)).toBe(true);
      expect(text.split('\n')[3]).toMatch(
        new RegExp(`^2026-01-05 Context \\d?\\.\\d\\d birds:parrot violet ${ids.get('violet')}$`),
      );
      expect(text).toContain('\n\n3. ');
    });

    it('applies filters, time window, order and limit', async () => {
      const result = await recall({
        query: 'parrot',
        tags: ['birds'],
        exclude_tags: ['blue'],
        tag_mode: 'all',
        start: '2026-01-02',
        end: '2026-01-04T12:00:00Z',
        sort: 'time_asc',
        relation_limit: 1,
        limit: 200,
      });
      const recalled = structuredOf<Recalled>(result);
      expect(idsOf(recalled)).toEqual([ids.get('green'), ids.get('amber')]);
      const time_window = { start: '2026-01-02T00:00:00.000Z', end: '2026-01-04T12:00:00.000Z' };
      expect(recalled).toMatchObject({ sort: 'time_asc', tag_mode: 'all', tags: ['birds'], time_window });
      expect(recalled.results.every(each => (each as { relations?: object[] }).relations?.length === 1)).toBe(true);
      expect(textOf(result)).toContain('created from 2026-01-02 to 2026-01-04T12:00Z');
    });

    it('accepts order_by as another name of sort', async () => {
      const recalled = structuredOf<Recalled>(await recall({ query: 'parrot', order_by: 'time_desc', limit: 1 }));
      expect(idsOf(recalled)).toEqual([ids.get('violet')]);
    });

    it('returns the most important memories when the query is omitted', async () => {
      const recalled = structuredOf<Recalled>(await recall({ limit: 2 }));
      expect(idsOf(recalled)).toEqual([ids.get('violet'), ids.get('amber')]);
    });

    it('says when nothing is found', async () => {
      const result = await recall({ query: 'parrot', tags: ['nowhere'] });
      expect(result.isError).toBeFalsy();
      expect(structuredOf(result)).toMatchObject({ count: 0, results: [] });
      expect(textOf(result)).toMatch(/^No memories found matching your query/);
    });

    it('treats null as absent', async () => {
      const recalled = structuredOf<Recalled>(
        await recall({ query: 'violet parrot', limit: 1, memory_id: null, exhaustive: null, tags: null, sort: null }),
      );
      expect(idsOf(recalled)).toEqual([ids.get('violet')]);
    });

    it('rejects an offset other than 0', async () => {
      const result = await recall({ query: 'parrot', offset: 5 });
      expect(result.isError).toBe(true);
      expect(textOf(result)).toContain('exhaustive');
      expect((await recall({ query: 'parrot', offset: 0 })).isError).toBeFalsy();
    });
  });

  describe('with memory_id', () => {
    it('returns that memory in full and ignores other parameters', async () => {
      const id = ids.get('green');
      const result = await recall({ memory_id: id, query: 'violet', exhaustive: true, tags: ['red'], offset: 7 });
      const recalled = structuredOf<Recalled>(result);
      expect(recalled).toMatchObject({ count: 1 });
      expect(recalled.results).toHaveLength(1);
      expect(recalled.results[0]).toMatchObject({
        memory: {
          memory_id: id,
          created_at: '2026-01-02T00:00:00.000Z',
          timestamp: '2026-01-02T00:00:00.000Z',
          metadata: { page: 1 },
        },
        match_type: 'direct',
        final_score: 1,
        relations: expect.any(Array),
      });
      expect(textOf(result)).toContain('The green parrot sings in the harbour.');
      expect(textOf(result)).toContain(`ID: ${id}`);
    });

    it('reports a missing memory', async () => {
      const id = randomUUID();
      const result = await recall({ memory_id: id });
      expect(result.isError).toBeFalsy();
      expect(structuredOf(result)).toMatchObject({ count: 0, results: [] });
      expect(textOf(result)).toBe(`Memory not found: ${id}`);
    });
  });

  describe('with exhaustive: true', () => {
    it('pages through all memories with the tags, most important first', async () => {
      const walked: string[] = [];
      for (let offset = 0, hasMore = true; hasMore; ) {
        const result = await recall({ exhaustive: true, tags: ['birds:parrot'], limit: 2, offset });
        const page = structuredOf<Recalled>(result);
        expect(page).toMatchObject({ tags: ['birds:parrot'], limit: 2, offset });
        expect(page).not.toHaveProperty('memories');
        expect(textOf(result)).toContain(`${offset + 1}. The `);
        walked.push(...idsOf(page));
        offset += page.count;
        hasMore = page.has_more ?? false;
        if (hasMore) expect(textOf(result)).toContain(`more with offset ${offset}`);
      }
      expect(walked).toEqual(COLOURS.toReversed().map(colour => ids.get(colour)));
    });

    it('shows the importance as score and matches tags exactly', async () => {
      const page = structuredOf<Recalled>(await recall({ exhaustive: true, tags: ['AMBER', 'red'] }));
      expect(page.results.map(result => result.final_score)).toEqual([0.3, 0]);
      expect(page.results[0]?.match_type).toBe('tag');
      expect(structuredOf(await recall({ exhaustive: true, tags: ['birds'] }))).toMatchObject({ count: 0 });
    });

    it('says when there are no results, or no more results', async () => {
      expect(textOf(await recall({ exhaustive: true, tags: ['nowhere'] }))).toMatch(/^No memories found/);
      expect(textOf(await recall({ exhaustive: true, tags: ['red'], offset: 1 }))).toMatch(/^No more memories/);
    });

    it.each([[{}], [{ tags: [] }], [{ tags: ' , ' }]])('requires tags: rejects %j', async args => {
      const result = await recall({ exhaustive: true, ...args });
      expect(result.isError).toBe(true);
      expect(textOf(result)).toContain("'tags' is required");
    });

    it('rejects parameters of ranked recall and names them', async () => {
      const ranked = {
        query: 'x',
        embedding: Array.from({ length: 64 }, () => 1),
        exclude_tags: ['x'],
        start: '2026-01-01',
        end: '2026-01-02',
        sort: 'score',
        order_by: 'score',
        relation_limit: 3,
        tag_match: 'prefix',
        tag_mode: 'all',
      };
      const all = await recall({ exhaustive: true, tags: ['red'], ...ranked });
      expect(all.isError).toBe(true);
      for (const [name, value] of Object.entries(ranked)) {
        expect(textOf(all), name).toContain(name);
        const one = await recall({ exhaustive: true, tags: ['red'], [name]: value });
        expect(one.isError, name).toBe(true);
        expect(textOf(one), name).toContain(`cannot be combined with ${name}`);
        expect(one._meta, name).toMatchObject({ 'engraph/error': { code: 'invalid', field: name } });
      }
    });

    it('accepts ranking parameters whose value changes nothing', async () => {
      const result = await recall({ exhaustive: true, tags: ['red'], tag_match: 'exact', tag_mode: 'any', query: '' });
      expect(structuredOf(result)).toMatchObject({ tags: ['red'], count: 1 });
    });
  });
});
