/** Tests how proposals are answered, how an answer is taken back, and when a proposal is withdrawn. */
import { describe, expect, test } from 'vitest';
import { applyChanges } from '../../src/consolidation/apply.js';
import { proposalNode } from '../../src/consolidation/proposals.js';
import type { Proposal } from '../../src/domain/consolidation.js';
import { idOf } from '../support/records.js';
import { openGraphOf } from '../support/test-engine.js';
import { createGate, openApart } from './apart.js';
import { opened } from './opened.js';

type Call = Awaited<ReturnType<typeof opened>>['call'];

/** Disables scheduled runs, so that no run starts when the test advances the clock. */
const BY_HAND = { DECAY_INTERVAL_SECONDS: '0', CREATIVE_INTERVAL_SECONDS: '0', CLUSTER_INTERVAL_SECONDS: '0' };

describe('a proposal', () => {
  const PROPOSAL: Proposal = {
    id: idOf(90),
    kind: 'replaced',
    olderId: idOf(1),
    newerId: idOf(2),
    reason: 'the newer names another port',
    numbers: { similarity: 0.93 },
  };

  const PAIR = { memory1_id: PROPOSAL.olderId, memory2_id: PROPOSAL.newerId };

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

  test('whose edge a caller has written keeps this edge when it is accepted and when it is reopened', async () => {
    const { answer, call, memory } = await proposing('replaced');
    const own = { type: 'INVALIDATED_BY', strength: 0.7, reason: 'the port was moved' };
    expect((await call('POST /associate', { ...PAIR, ...own })).status).toBe(201);
    const edges = async () => (await memory(idOf(1))).relations.filter(({ type }: typeof own) => type === own.type);
    await answer('accept');
    expect(await edges()).toMatchObject([own]);
    await answer('reopen');
    expect(await edges()).toMatchObject([own]);
  });

  test('for a duplicate, if accepted, gives the newer memory one spelling of each tag', async () => {
    const { answer, call, memory } = await proposing('duplicate');
    await call(`PATCH /memory/${idOf(1)}`, { tags: ['ORLY', 'ports'] });
    await answer('accept');
    expect((await memory(idOf(2))).tags).toEqual(['orly', 'new', 'ports']);
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
    [
      'was joined to the newer one by a caller',
      async (call: Call) => call('POST /associate', { ...PAIR, type: 'INVALIDATED_BY', strength: 0.7 }),
    ],
    [
      'was replaced by another memory',
      async (call: Call) => call('POST /memory', { content: 'Orly is gone', supersedes_memory_id: idOf(1) }),
    ],
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
