/** Groups that are described by a language model, and groups without a description from the model. */
import { describe, expect, test } from 'vitest';
import { createGroupWords } from '../../src/consolidation/groups/describe.js';
import { type Behaviour, type ModelRequest, startModelServer } from '../support/model-server.js';
import { idOf } from '../support/records.js';
import { opened } from './opened.js';

const BEES = [
  'The hive by the orchard swarmed in May, and Teresa caught the queen',
  'Teresa put a second brood box on the hive by the orchard',
  'Honey from the hive by the orchard was spun in July by Teresa',
  'Wasps came to the hive by the orchard, so Teresa narrowed its entrance',
];
const WORDS = 'Teresa keeps bees\nby the orchard.';

function answering(summary: string): Behaviour {
  return {
    json: {
      ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn' },
      content: [{ type: 'text', text: JSON.stringify({ summary }) }],
      usage: { input_tokens: 300, output_tokens: 20 },
    },
  };
}

async function openWithBees(respond: Behaviour | ((request: ModelRequest) => Behaviour)) {
  const server = await startModelServer();
  server.on('/v1/messages', respond);
  const model = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: server.url, LLM_MAX_RETRIES: '0' };
  const memory = await opened({}, model);
  await memory.store(
    ...BEES.map((content, index) => ({ days: 40 - index, id: idOf(index + 1), content, type: 'Context' })),
  );
  const askedBefore = server.requests.length;
  const cluster = async (isDryRun = false) => {
    const { body } = await memory.call('POST /consolidate', { mode: 'cluster', dry_run: isDryRun });
    const texts = body.consolidation.changes.flatMap((change: { text?: string }) => change.text ?? []);
    return { texts, asked: server.requests.length - askedBefore };
  };
  return { server, cluster, ...memory };
}

test("the description of a group starts with the model's text, followed by the counts of Engraph", async () => {
  const { server, cluster } = await openWithBees(answering(WORDS));
  const { texts, asked } = await cluster();
  expect(texts).toEqual([expect.stringMatching(/^Teresa keeps bees by the orchard\. 4 memories about .+, from /)]);
  expect(asked).toBe(1);
  const [{ content }] = server.requests.at(-1)?.body.messages ?? [];
  const { memories } = JSON.parse(content.slice(content.indexOf('{')));
  expect(memories.map(({ text }: { text: string }) => text)).toEqual(BEES);
});

test('the model is asked again only if the texts of the group have changed', async () => {
  const { cluster, call } = await openWithBees(answering(WORDS));
  await cluster();
  expect(await cluster()).toEqual({ texts: [], asked: 1 });
  await call(`PATCH /memory/${idOf(1)}`, { content: `${BEES[0]} twice` });
  expect(await cluster()).toEqual({ texts: [expect.stringContaining('Teresa keeps bees')], asked: 2 });
});

test('a dry run does not ask the model', async () => {
  const { cluster } = await openWithBees(answering(WORDS));
  expect(await cluster(true)).toEqual({ texts: [expect.stringMatching(/^4 memories about /)], asked: 0 });
});

test('if the model fails, a group has only its computed description until the model answers again', async () => {
  let isAway = true;
  const { cluster, call, clock } = await openWithBees(() => (isAway ? { status: 500, json: {} } : answering(WORDS)));
  expect((await cluster()).texts).toEqual([expect.stringMatching(/^4 memories about /)]);
  isAway = false;
  const status = async () => {
    clock.advance(1_000);
    return (await call('GET /health')).body.language_model.status;
  };
  await expect.poll(status).toBe('healthy');
  expect((await cluster()).texts).toEqual([expect.stringMatching(/^Teresa keeps bees by the orchard\. 4 memories/)]);
});

test('a description that is much too long is cut', async () => {
  const { cluster } = await openWithBees(answering('bee '.repeat(1_000)));
  const [text] = (await cluster()).texts;
  expect(text.indexOf('4 memories')).toBeLessThan(610);
});

describe('of many groups', () => {
  const groups = Array.from({ length: 150 }, (_, size) => Array.from({ length: size + 3 }, () => 'id'));
  const ask = async (answer: string | undefined) => {
    let asked = 0;
    const wordGroup = async () => {
      asked += 1;
      return answer;
    };
    const word = createGroupWords({ wordGroup, onPage: async () => {} }, groups);
    const worded: number[] = [];
    for (const place of groups.keys()) if ((await word(place, [])) !== undefined) worded.push(place);
    return { asked, worded };
  };

  test('only the hundred largest are described by the model', async () => {
    expect(await ask(WORDS)).toEqual({ asked: 100, worded: Array.from({ length: 100 }, (_, index) => index + 50) });
  });

  test('none is sent to the model after the model has failed once', async () => {
    expect(await ask(undefined)).toEqual({ asked: 1, worded: [] });
  });
});
