/** After an update of the text analyzer, every memory is analyzed again (docs/decisions.md, "Text analyzer version"). */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { TextIndexProgress } from '../../src/domain/reports.js';
import { ANALYZER_VERSION } from '../../src/domain/versions.js';
import { openForTest } from '../engine/open-engine.js';
import { readIndex, STEMS, writeFormerWords } from '../support/former-words.js';
import { openGraphOf } from '../support/test-engine.js';

const COUNT = 90;
const PAGE = 20;
const FORMER_WORD = new RegExp(`(?<!ː)${STEMS.former}0?[ "]`);

async function openFilled() {
  const opened = await openForTest();
  await opened.storeMany(
    Array.from({ length: COUNT }, (_, index) => ({
      content: `Crane ${index} stands in the ${index % 2 === 0 ? 'harbour' : 'quarry'}`,
      tags: [`site:${index % 3}`],
    })),
  );
  await opened.engine.idle();
  return opened;
}

type Opened = Awaited<ReturnType<typeof openFilled>>;

/** Uses the graph of the engine while the engine is closed. */
async function onGraph<Result>(
  { config }: Opened,
  use: (graph: ReturnType<typeof openGraphOf>) => Promise<Result>,
): Promise<Result> {
  const graph = openGraphOf(config);
  try {
    await graph.ping();
    return await use(graph);
  } finally {
    await graph.close();
  }
}

function countFound(opened: Opened, term: string): Promise<number> {
  return onGraph(
    opened,
    async graph => (await graph.searchText({ terms: [term], filter: {}, limit: COUNT })).hits.length,
  );
}

test('all words are written again in the background, and then equal those of a new store', async () => {
  const opened = await openFilled();
  let fresh: unknown[] = [];
  await opened.reopen(async () => {
    fresh = await readIndex(opened.config);
    await writeFormerWords(opened.config);
    expect(await readIndex(opened.config)).not.toEqual(fresh);
    // The memories are found by the words that both versions analyze alike.
    expect(await countFound(opened, 'crane')).toBe(COUNT);
    expect(await countFound(opened, STEMS.present)).toBe(0);
  });
  // Closing the engine interrupts the work, and the next engine continues it.
  await opened.reopen();
  await opened.engine.idle();
  await opened.reopen(async () => expect(await readIndex(opened.config)).toEqual(fresh));
});

test('an interrupted run continues behind its last page, and health shows how far it is', async () => {
  const opened = await openFilled();
  let fresh: unknown[] = [];
  await opened.reopen(async () => {
    fresh = await readIndex(opened.config);
    await writeFormerWords(opened.config);
    await onGraph(opened, async graph => {
      expect(await graph.countOutdatedWords()).toEqual({ outdatedCount: COUNT, hasNewer: false });
      const { rewrittenCount, next } = await graph.rewriteOutdatedWords({ limit: PAGE });
      expect([rewrittenCount, next]).toEqual([PAGE, expect.any(Number)]);
    });
    expect(await countFound(opened, STEMS.present)).toBe(PAGE / 2);
    await onGraph(opened, async graph => {
      expect(await graph.countOutdatedWords()).toEqual({ outdatedCount: COUNT - PAGE, hasNewer: false });
    });
  });
  const seen: TextIndexProgress[] = [];
  let isIdle = false;
  const idle = opened.engine.idle().then(() => (isIdle = true));
  while (!isIdle) {
    const { textIndex } = await opened.engine.health();
    if (textIndex) seen.push({ ...textIndex });
    await yieldToEventLoop();
  }
  await idle;
  expect(seen[0]).toMatchObject({ analyzerVersion: ANALYZER_VERSION, total: COUNT });
  expect(seen[0]?.doneCount).toBeGreaterThanOrEqual(PAGE);
  expect(await opened.engine.health()).not.toHaveProperty('textIndex');
  await opened.reopen(async () => expect(await readIndex(opened.config)).toEqual(fresh));
});

test('memories that are stored, changed and deleted meanwhile have the words of the present analyzer', async () => {
  const opened = await openFilled();
  const { results } = await opened.recall({ query: 'crane 88', limit: 3 });
  const [changed, deleted, other] = results.map(({ memory }) => memory.id);
  await opened.reopen(() => writeFormerWords(opened.config));
  const working = opened.engine.idle();
  await Promise.all([
    opened.patch(changed ?? '', { content: 'Nothing but harbour seals' }),
    opened.engine.remove(deleted ?? ''),
    opened.patch(other ?? '', { importance: 0.9 }),
    opened.storeMany([{ content: 'The harbour master waves' }]),
  ]);
  await working;
  await opened.engine.idle();
  let kept: unknown[] = [];
  await opened.reopen(async () => {
    kept = await readIndex(opened.config);
    await writeFormerWords(opened.config);
  });
  await opened.engine.idle();
  expect(await opened.found({ query: 'seals', limit: 1 })).toEqual(['Nothing but harbour seals']);
  // A second run finds nothing to change, so the first run left no wrong word and no wrong count.
  await opened.reopen(async () => {
    expect(await readIndex(opened.config)).toEqual(kept);
    expect(JSON.stringify(kept)).not.toMatch(FORMER_WORD);
  });
});

test('a new store has nothing to analyze again', async () => {
  const opened = await openFilled();
  await opened.reopen(() =>
    onGraph(opened, async graph => {
      expect(await graph.countOutdatedWords()).toEqual({ outdatedCount: 0, hasNewer: false });
      expect(await graph.rewriteOutdatedWords({ limit: PAGE })).toEqual({ rewrittenCount: 0 });
    }),
  );
  expect(await opened.engine.health()).not.toHaveProperty('textIndex');
});
