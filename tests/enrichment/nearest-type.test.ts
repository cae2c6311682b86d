/** Memories whose words show no type get the type of the nearest labelled examples, if the embedder knows meaning. */
import { describe, expect, test } from 'vitest';
import { MEMORY_TYPES, type MemoryType } from '../../src/domain/memory.js';
import EXAMPLES from '../../src/enrichment/classify/examples.json' with { type: 'json' };
import { axis, openForTest } from '../engine/open-engine.js';
import { type ModelServer, startModelServer } from '../support/model-server.js';

/** An axis that no example is on. */
const FAR = 40;
const TYPE_OF_EXAMPLE = new Map(MEMORY_TYPES.flatMap((type, index) => EXAMPLES[type].map(text => [text, index])));

/** A word for each type. The names of the types would be cues. */
const WORDS: Record<MemoryType, string> = {
  Decision: 'ash',
  Pattern: 'birch',
  Preference: 'cedar',
  Style: 'elm',
  Habit: 'fir',
  Insight: 'larch',
  Context: 'oak',
};

/** Each example is on the axis of its type, a note on that of the type whose word it contains, or on a far one. */
function axisOf(text: string): number {
  const named = MEMORY_TYPES.findIndex(type => text.includes(WORDS[type]));
  return TYPE_OF_EXAMPLE.get(text) ?? (named === -1 ? FAR : named);
}

function teach(server: ModelServer, { failsForExamples = false } = {}): void {
  server.on('/v1/embeddings', ({ body }) => {
    const texts = body.input as string[];
    if (failsForExamples && texts.some(text => TYPE_OF_EXAMPLE.has(text))) return { status: 503, json: {} };
    return { json: { data: texts.map((text, index) => ({ index, embedding: axis(axisOf(text)) })) } };
  });
}

async function openTaught(env: Record<string, string> = {}) {
  const server = await startModelServer();
  teach(server);
  const opened = await openForTest({
    EMBEDDING_PROVIDER: 'openai',
    OPENAI_BASE_URL: `${server.url}/v1`,
    EMBEDDING_MODEL: 'types',
    EMBEDDING_MAX_RETRIES: '0',
    LLM_PROVIDER: 'none',
    ANTHROPIC_API_KEY: 'k',
    ANTHROPIC_BASE_URL: server.url,
    LLM_MAX_RETRIES: '0',
    ...env,
  });
  const typeOf = async (id: string) => {
    await opened.engine.idle();
    const { type, confidence } = (await opened.engine.get(id)).memory;
    return [type, confidence];
  };
  const examplesSent = () =>
    server.requests.flatMap(({ body }) => ((body.input ?? []) as string[]).filter(text => TYPE_OF_EXAMPLE.has(text)))
      .length;
  return { server, typeOf, examplesSent, ...opened };
}

const UNCLASSIFIED = ['Context', 0.3];

describe('the type of a memory whose words show none', () => {
  test.each(MEMORY_TYPES.filter(type => type !== 'Context'))('is that of the nearest examples: %s', async type => {
    const { store, typeOf } = await openTaught();
    const { memory } = await store({ content: `the ${WORDS[type]}` });
    expect([memory.type, memory.confidence]).toEqual(UNCLASSIFIED);
    expect(await typeOf(memory.id)).toEqual([type, 0.45]);
  });

  test.each(['the oak', 'the grass'])('stays unclassified: %s', async content => {
    const { add, typeOf } = await openTaught();
    expect(await typeOf(await add({ content }))).toEqual(UNCLASSIFIED);
  });

  test('needs the examples to be embedded only once', async () => {
    const { add, typeOf, examplesSent } = await openTaught();
    await typeOf(await add({ content: 'the larch' }));
    await typeOf(await add({ content: 'another larch' }));
    expect(examplesSent()).toBe(TYPE_OF_EXAMPLE.size);
  });

  test('stays unclassified while the examples cannot be embedded, and enrichment continues', async () => {
    const { server, add, typeOf, engine } = await openTaught();
    teach(server, { failsForExamples: true });
    const id = await add({ content: 'the larch' });
    expect(await typeOf(id)).toEqual(UNCLASSIFIED);
    expect((await engine.get(id)).memory.enriched).toBe(true);
    expect(await engine.workStatus()).toMatchObject({ failed: 0, classifier: { fallbacks: 1 } });
  });

  test('is derived again when the content changes', async () => {
    const { add, patch, typeOf } = await openTaught();
    const id = await add({ content: 'the larch' });
    expect(await typeOf(id)).toEqual(['Insight', 0.45]);
    await patch(id, { content: 'the elm' });
    expect(await typeOf(id)).toEqual(['Style', 0.45]);
    await patch(id, { content: 'the grass' });
    expect(await typeOf(id)).toEqual(UNCLASSIFIED);
  });
});

describe('the examples are not used', () => {
  test.each([
    ['a type that the caller gave', { content: 'the larch', type: 'Habit' }, ['Habit', 0.9]],
    ['a type from words', { content: 'We decided on the larch.' }, ['Decision', 0.6]],
    ['a vector that the caller gave', { content: 'the larch', embedding: axis(5) }, UNCLASSIFIED],
  ])('for %s', async (_, fields, expected) => {
    const { add, typeOf, examplesSent } = await openTaught();
    expect(await typeOf(await add(fields))).toEqual(expected);
    expect(examplesSent()).toBe(0);
  });

  test('if a language model says the type', async () => {
    const { server, add, typeOf, examplesSent } = await openTaught({ LLM_PROVIDER: 'anthropic' });
    const text = JSON.stringify({ type: 'Pattern', confidence: 0.7 });
    server.on('/v1/messages', {
      json: { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [{ type: 'text', text }], usage: {} },
    });
    expect(await typeOf(await add({ content: 'the larch' }))).toEqual(['Pattern', 0.7]);
    expect(examplesSent()).toBe(0);
  });
});
