/** Tests how runs are undone, and how the proposals of runs are answered. */
import { describe, expect, test } from 'vitest';
import { applyChanges } from '../../src/consolidation/apply.js';
import { proposalNode } from '../../src/consolidation/proposals.js';
import type { Proposal } from '../../src/domain/consolidation.js';
import { idOf } from '../support/records.js';
import { openGraphOf } from '../support/test-engine.js';
import { createGate, openApart } from './apart.js';
import { ADMIN, opened } from './opened.js';

type Call = Awaited<ReturnType<typeof opened>>['call'];

/** Disables scheduled runs, so that no run starts when the test advances the clock. */
const BY_HAND = { DECAY_INTERVAL_SECONDS: '0', CREATIVE_INTERVAL_SECONDS: '0', CLUSTER_INTERVAL_SECONDS: '0' };
const DELETING = { ...BY_HAND, DELETE_THRESHOLD: '0.2', MAX_CHANGE_SHARE: '1' };
const OLD = { days: 900, importance: 0.1, type: 'Habit' };

describe('the list of changes of a run', () => {
  test('has pages, and an undo reverts the changes of all pages', async () => {
    const count = 110;
    const { call, run, daysAgo, dump, engine } = await opened(BY_HAND);
    const memories = Array.from({ length: count }, (_, index) => ({
      id: idOf(index),
      content: `Note ${index}`,
      importance: 0.1,
      timestamp: daysAgo(50),
    }));
    await call('POST /memory/batch', memories);
    await engine.idle();
    const before = await dump();
    const { run_id, updates } = await run('decay');
    expect(updates).toBe(count);
    const pageOf = async (page: number) => (await call(`GET /consolidate/runs/${run_id}?page=${page}`)).body;
    const pages = await Promise.all([0, 1, 2, 3, 4, 5].map(pageOf));
    expect(pages.map(({ changes }) => changes.length)).toEqual([25, 25, 25, 25, 10, 0]);
    expect(pages.map(({ next_page }) => next_page)).toEqual([1, 2, 3, 4, null, null]);
    const { body } = await call('POST /consolidate/undo', { run_id }, ADMIN);
    expect(body).toMatchObject({ undone: count, skipped: 0 });
    expect(await dump()).toBe(before);
    const { history } = (await call('GET /consolidate/status')).body;
    expect(history[0].undone_at).toBe('2026-03-01T12:00:00.000Z');
    const again = await call('POST /consolidate/undo', { run_id }, ADMIN);
    expect(again.body).toMatchObject({ undone: 0, skipped: count });
  });
});

describe('a deleted memory', () => {
  test.each([
    ['it is restored', ({ call }: { call: Call }) => call('POST /admin/restore', { ids: [idOf(1)] }, ADMIN)],
    [
      'the run is undone',
      ({ call, run_id }: { call: Call; run_id: string }) => call('POST /consolidate/undo', { run_id }, ADMIN),
    ],
  ])('has the history of its edits again when %s', async (_, bringBack) => {
    const { call, store, run, memory } = await opened(DELETING);
    await store({ ...OLD, id: idOf(1), content: 'first' });
    await call(`PATCH /memory/${idOf(1)}`, { content: 'second', updated_at: '2023-01-01' });
    const { run_id } = await run('forget');
    expect((await call(`GET /memory/${idOf(1)}/history`)).status).toBe(404);
    await bringBack({ call, run_id });
    const { versions } = (await call(`GET /memory/${idOf(1)}/history`)).body;
    expect(versions).toMatchObject([{ version: 1, content: 'first', changed: ['content'] }]);
    await call(`POST /memory/${idOf(1)}/restore`, { version: 1 });
    expect((await memory(idOf(1))).content).toBe('first');
  });

  test('whose id belongs to another memory stays in the bin, and the whole restore request is refused', async () => {
    const { call, store, run, memory } = await opened(DELETING);
    await store({ ...OLD, id: idOf(1), content: 'one' }, { ...OLD, id: idOf(2), content: 'two' });
    const { run_id } = await run('forget');
    await store({ days: 0, id: idOf(1), content: 'another' });
    const { status, body } = await call('POST /admin/restore', { ids: [idOf(2), idOf(1)] }, ADMIN);
    expect([status, body.error]).toEqual([
      409,
      `The id ${idOf(1)} now belongs to a memory with different content; nothing was restored`,
    ]);
    expect((await call(`GET /memory/${idOf(2)}`)).status).toBe(404);
    expect((await call('GET /admin/bin', undefined, ADMIN)).body.memories).toHaveLength(2);
    // An undo skips the memory whose id is taken, and restores the other memory.
    const undone = await call('POST /consolidate/undo', { run_id }, ADMIN);
    expect([undone.status, undone.body.undone, undone.body.skipped]).toEqual([200, 1, 1]);
    expect((await memory(idOf(1))).content).toBe('another');
    expect((await memory(idOf(2))).content).toBe('two');
  });

  test('that was stored again without its tags and metadata stays in the bin until the other memory is deleted', async () => {
    const { call, store, run, memory } = await opened(DELETING);
    const ticket = { metadata: { ticket: 7 }, tags: ['billing'] };
    await store({ ...OLD, ...ticket, id: idOf(1), content: 'one' });
    const { run_id } = await run('forget');
    await store({ days: 0, id: idOf(1), content: 'one' });
    const restore = () => call('POST /admin/restore', { ids: [idOf(1)] }, ADMIN);
    const { status, body } = await restore();
    expect(status).toBe(409);
    expect(body.error).toMatch(`The id ${idOf(1)} now belongs to a memory with different type`);
    expect(body.error).toMatch('tags, importance, metadata');
    expect(body.details).toMatch('The copy stays in the bin');
    expect((await call('POST /consolidate/undo', { run_id }, ADMIN)).body).toMatchObject({ undone: 0, skipped: 1 });
    expect((await call('GET /admin/bin', undefined, ADMIN)).body.memories).toHaveLength(1);
    await call(`DELETE /memory/${idOf(1)}`);
    expect((await restore()).status).toBe(200);
    expect(await memory(idOf(1))).toMatchObject({ importance: 0.1, type: 'Habit', ...ticket });
  });

  test('that was restored, but not with its edges, is restored completely by the same request', async () => {
    const { graph, start, store } = await openApart(DELETING);
    await store(900, 1, 2);
    const edge = { from: idOf(1), to: idOf(2), strength: 1, properties: {}, updated_at: '2024-01-01T00:00:00.000Z' };
    await graph.saveRelations([{ ...edge, type: 'RELATES_TO' }]);
    await start().consolidation.run({ mode: 'forget', isDryRun: false });
    const { consolidation } = start({
      saveRelations: async () => {
        throw new Error('the process was killed');
      },
    });
    await expect(consolidation.restore([idOf(1), idOf(2)])).rejects.toThrow('killed');
    expect((await graph.getMemories([idOf(1)])).size).toBe(1);
    const again = start().consolidation;
    expect((await again.restore([idOf(1), idOf(2)])).restoredIds).toHaveLength(2);
    expect((await graph.relationsOf({ ids: [idOf(1)], limit: 9 })).get(idOf(1))).toHaveLength(1);
    expect(await again.binned(9)).toEqual([]);
  });

  test('stays deleted when an earlier run is undone, if a later run deleted it again', async () => {
    const { call, store, run, clock } = await opened(DELETING);
    await store({ ...OLD, id: idOf(1), content: 'one' });
    const first = await run('forget');
    await call('POST /admin/restore', { ids: [idOf(1)] }, ADMIN);
    clock.advance(91 * 86_400_000);
    const second = await run('forget');
    const undo = async (run_id: string) => (await call('POST /consolidate/undo', { run_id }, ADMIN)).body;
    expect(await undo(first.run_id)).toMatchObject({ undone: 0, skipped: 1 });
    expect(await undo(second.run_id)).toMatchObject({ undone: 1, skipped: 0 });
  });

  test('is restored with its link to a pattern', async () => {
    const { call, store, run, dump, engine } = await opened(DELETING);
    const habit = (number: number) => ({
      ...OLD,
      id: idOf(number),
      content: `Swims on day ${number}`,
      tags: ['sport'],
    });
    await store(habit(1), habit(2), habit(3), habit(4));
    const before = await dump();
    expect(before).toContain('pattern-habit');
    const { run_id } = await run('forget');
    await call('POST /consolidate/undo', { run_id }, ADMIN);
    await engine.idle();
    expect(await dump()).toBe(before);
  });
});

describe('a proposal', () => {
  const PROPOSAL: Proposal = {
    id: idOf(90),
    kind: 'replaced',
    olderId: idOf(1),
    newerId: idOf(2),
    reason: 'the newer names another port',
    numbers: { similarity: 0.93 },
  };

  async function proposing(kind: Proposal['kind']) {
    const parts = await opened(BY_HAND);
    await parts.store(
      { days: 20, id: idOf(1), content: 'Orly listens on port 5433', importance: 0.8, tags: ['orly', 'ports'] },
      { days: 10, id: idOf(2), content: 'Orly listens on port 6033', importance: 0.4, tags: ['orly', 'new'] },
    );
    await parts.reopen(async () => {
      const graph = openGraphOf(parts.config);
      await graph.saveNode(proposalNode({ ...PROPOSAL, kind }, { state: 'open', at: parts.daysAgo(1) }));
      await graph.close();
    });
    const answer = (action: string) => parts.call(`POST /consolidate/proposals/${PROPOSAL.id}`, { action });
    const listed = async () => (await parts.call('GET /consolidate/proposals')).body.proposals;
    return { ...parts, answer, listed };
  }

  test('is listed until it is answered, and can be answered only once', async () => {
    const { answer, listed, call } = await proposing('replaced');
    expect(await listed()).toEqual([
      {
        id: PROPOSAL.id,
        kind: 'replaced',
        older_id: idOf(1),
        newer_id: idOf(2),
        reason: PROPOSAL.reason,
        numbers: PROPOSAL.numbers,
        state: 'open',
        older_content: 'Orly listens on port 5433',
        newer_content: 'Orly listens on port 6033',
      },
    ]);
    expect((await call('GET /consolidate/status')).body.proposals).toBe(1);
    expect((await answer('dismiss')).body.proposal.state).toBe('dismissed');
    expect(await listed()).toEqual([]);
    expect((await call('GET /health')).body.consolidation).toEqual({ proposals: 0 });
    for (const action of ['accept', 'dismiss']) {
      const { status, body } = await answer(action);
      expect([status, body.error]).toEqual([409, 'The proposal has already been dismissed']);
    }
    expect((await call('GET /recall?query=orly port')).body.count).toBe(2);
  });

  test('replaces the older memory with the newer one when it is accepted', async () => {
    const { answer, call, memory } = await proposing('replaced');
    const before = await memory(idOf(2));
    expect((await answer('accept')).body.proposal.state).toBe('accepted');
    const { results } = (await call('GET /recall?query=orly port')).body;
    expect(results.map(({ id }: { id: string }) => id)).toEqual([idOf(2)]);
    const older = await memory(idOf(1));
    expect(older.content).toBe('Orly listens on port 5433');
    expect(older).not.toHaveProperty('t_invalid');
    expect(older.relations).toContainEqual(
      expect.objectContaining({ type: 'INVALIDATED_BY', reason: PROPOSAL.reason, direction: 'outgoing' }),
    );
    const { relations, ...newer } = await memory(idOf(2));
    expect({ ...newer, relations: [] }).toEqual({ ...before, relations: [] });
  });

  test('for a duplicate, if accepted, gives the newer memory the tags of both and the higher importance', async () => {
    const { answer, memory } = await proposing('duplicate');
    await answer('accept');
    const { tags, importance, content } = await memory(idOf(2));
    expect(tags).toEqual(expect.arrayContaining(['orly', 'new', 'ports']));
    expect([importance, content]).toEqual([0.8, 'Orly listens on port 6033']);
    expect((await memory(idOf(1))).relations).toContainEqual(expect.objectContaining({ type: 'INVALIDATED_BY' }));
  });

  test.each(['replaced', 'duplicate'] as const)('that was accepted as %s can be undone completely', async kind => {
    const { answer, call, memory, listed, clock } = await proposing(kind);
    const state = async () => {
      const both = [await memory(idOf(1)), await memory(idOf(2))];
      return both.map(({ updated_at, last_accessed, ...rest }) => rest);
    };
    const before = await state();
    expect((await answer('reopen')).body.error).toBe('The proposal is already open');
    await answer('accept');
    expect(await state()).not.toEqual(before);
    clock.advance(1_000);
    expect((await answer('reopen')).body.proposal.state).toBe('open');
    expect(await state()).toEqual(before);
    expect((await call('GET /recall?query=orly port')).body.count).toBe(2);
    expect(await listed()).toHaveLength(1);
    expect((await answer('dismiss')).status).toBe(200);
    expect((await answer('reopen')).body.proposal.state).toBe('open');
  });

  test('that was accepted and is reopened keeps data that was changed in between', async () => {
    const { answer, call, memory, clock } = await proposing('duplicate');
    await answer('accept');
    clock.advance(1_000);
    await call(`PATCH /memory/${idOf(1)}`, { t_invalid: '2026-02-01T00:00:00Z' });
    await call(`PATCH /memory/${idOf(2)}`, { tags: ['kept'] });
    await answer('reopen');
    expect((await memory(idOf(1))).t_invalid).toBe('2026-02-01T00:00:00.000Z');
    expect((await memory(idOf(2))).tags).toContain('kept');
  });

  test.each(['accept', 'dismiss'])('whose acceptance was interrupted can be answered with %s', async action => {
    const { graph, start, store, clock } = await openApart(BY_HAND);
    await store(50, 1, 2);
    await graph.saveNode(proposalNode({ ...PROPOSAL, kind: 'duplicate' }, { state: 'open', at: '2026-03-01' }));
    const { consolidation } = start({
      updateMemory: async () => {
        throw new Error('the process was killed');
      },
    });
    await expect(consolidation.settleProposal(PROPOSAL.id, 'accept')).rejects.toThrow('killed');
    clock.advance(1_000);
    await start().consolidation.run({ mode: 'decay', isDryRun: false });
    const again = start().consolidation;
    expect(await again.countOpenProposals()).toBe(1);
    await again.settleProposal(PROPOSAL.id, action as 'accept' | 'dismiss');
    const edges = async () => (await graph.relationsOf({ ids: [idOf(1)], limit: 9 })).get(idOf(1)) ?? [];
    expect(await edges()).toHaveLength(action === 'accept' ? 1 : 0);
    if (action === 'accept') await again.settleProposal(PROPOSAL.id, 'reopen');
    expect(await edges()).toEqual([]);
  });

  test('accepts only the first of two answers that arrive at the same time', async () => {
    const { graph, start, store } = await openApart(BY_HAND);
    await store(50, 1, 2);
    await graph.saveNode(proposalNode(PROPOSAL, { state: 'open', at: '2026-03-01' }));
    const gate = createGate();
    const { consolidation } = start({
      saveRelations: async relations => {
        await gate.pass();
        return graph.saveRelations(relations);
      },
    });
    const accepting = consolidation.settleProposal(PROPOSAL.id, 'accept');
    await gate.reached;
    const beside = start().consolidation;
    await expect(beside.settleProposal(PROPOSAL.id, 'dismiss')).rejects.toMatchObject({ code: 'conflict' });
    gate.open();
    expect((await accepting).state).toBe('accepted');
    expect((await graph.relationsOf({ ids: [idOf(1)], limit: 9 })).get(idOf(1))).toHaveLength(1);
  });

  test('about a deleted memory cannot be accepted, but can be dismissed', async () => {
    const { answer, call } = await proposing('duplicate');
    await call(`DELETE /memory/${idOf(1)}`);
    const { status, body } = await answer('accept');
    expect([status, body.error]).toEqual([404, 'One of the two memories no longer exists']);
    expect((await answer('dismiss')).status).toBe(200);
    expect((await call(`POST /consolidate/proposals/${idOf(91)}`, { action: 'dismiss' })).status).toBe(404);
  });

  test('whose newer memory is archived cannot be accepted, because recall would then find neither memory', async () => {
    const { answer, call, memory, run, listed } = await proposing('replaced');
    await call(`PATCH /memory/${idOf(2)}`, { archived: true });
    const { status, body } = await answer('accept');
    expect([status, body.error]).toEqual([
      409,
      `The newer memory ${idOf(2)} is archived and cannot replace another memory`,
    ]);
    expect((await memory(idOf(1))).t_invalid).toBeUndefined();
    await run('decay');
    expect(await listed()).toEqual([]);
  });

  test.each([
    ['was deleted', async (call: Call) => call(`DELETE /memory/${idOf(1)}`)],
    ['was invalidated', async (call: Call) => call(`PATCH /memory/${idOf(1)}`, { t_invalid: '2026-02-01T00:00:00Z' })],
  ])('whose older memory %s is withdrawn by the next run', async (_, change) => {
    const { call, run, listed } = await proposing('replaced');
    await run('decay');
    expect(await listed()).toHaveLength(1);
    await change(call);
    await run('decay');
    expect(await listed()).toEqual([]);
    expect((await call('GET /health')).body.consolidation).toEqual({ proposals: 0 });
  });

  test('that was dismissed is not made again by a later run', async () => {
    const { graph, start } = await openApart(BY_HAND);
    const { consolidation } = start();
    const change = { kind: 'proposal', proposal: PROPOSAL, reason: PROPOSAL.reason, numbers: {} } as const;
    const propose = () => applyChanges({ graph } as never, { runId: idOf(5), nowMs: 0 }, [change]);
    await propose();
    expect(await consolidation.countOpenProposals()).toBe(1);
    await consolidation.settleProposal(PROPOSAL.id, 'dismiss');
    await propose();
    expect(await consolidation.countOpenProposals()).toBe(0);
  });
});
