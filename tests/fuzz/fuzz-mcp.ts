/** Sends any number of random tool calls through a connected client, and checks each result. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { connectClient, recordingLog, textOf } from '../mcp/connected-client.js';
import { openTestEngine } from '../support/test-engine.js';
import type { FuzzRun } from './fuzz-rest.js';
import { fieldsOf, hostileValue, knownMemories } from './values.js';
import { withinTime } from './within-time.js';

/** Number of cases after which the test waits for background work and restores deleted memories. */
const RENEWED_EVERY = 200;
const UNSEEN = /[\p{Bidi_Control}\p{Cs}\u200b\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]|[^\P{Cc}\t\n]/u;

interface Call {
  name: string;
  args: Record<string, unknown>;
}

const anything = fc.dictionary(fc.string({ maxLength: 8 }), hostileValue, { maxKeys: 2 });

/** Tool calls with fields from the schema, and sometimes with additional random fields. */
function callsOf(name: string, fields: readonly string[], required: readonly string[]): fc.Arbitrary<Call> {
  const proper = fieldsOf(fields, required);
  const args = fc.oneof(
    { weight: 20, arbitrary: proper },
    { weight: 1, arbitrary: fc.tuple(proper, anything).map(([known, unknown]) => ({ ...known, ...unknown })) },
  );
  return args.map(each => ({ name, args: each }));
}

/** A call of any listed tool, with fields from its input schema. */
function anyCall(tools: readonly { name: string; inputSchema: { properties?: object; required?: string[] } }[]) {
  return fc.oneof(
    ...tools.map(({ name, inputSchema }) =>
      callsOf(name, Object.keys(inputSchema.properties ?? {}), inputSchema.required ?? []),
    ),
  );
}

/** Runs the cases and returns the numbers of successful and refused calls. */
export async function fuzzMcp({ seed, cases, maxMs }: FuzzRun): Promise<{ succeeded: number; refused: number }> {
  const test = await openTestEngine();
  const { log, lines } = recordingLog();
  const { client, call, close } = await connectClient(test.engine, { log });
  const { tools } = await client.listTools();
  const outcome = { succeeded: 0, refused: 0 };
  let made = 0;
  const renew = async () => {
    await test.engine.idle();
    for (const memory of knownMemories()) await call('store_memory', memory);
  };
  const property = fc.asyncProperty(anyCall(tools), async ({ name, args }) => {
    if (made++ % RENEWED_EVERY === 0) await renew();
    // Converted to JSON and back, as if the call came over the network.
    const sent = JSON.parse(JSON.stringify(args)) as Record<string, unknown>;
    const result = await withinTime(() => call(name, sent), maxMs);
    outcome[result.isError ? 'refused' : 'succeeded'] += 1;
    // The log is cleared so that each of the smaller cases that fast-check tries after a failure is judged alone.
    expect(lines.splice(0).filter(({ level }) => level === 'error')).toEqual([]);
    expect(textOf(result)).not.toBe('');
    expect(result._meta?.['engraph/error']).not.toMatchObject({ code: 'internal' });
    if (!result.isError) {
      expect(textOf(result)).not.toMatch(UNSEEN);
      expect(JSON.stringify(result.structuredContent)).not.toMatch(UNSEEN);
    }
  });
  try {
    await fc.assert(property, { seed, numRuns: cases });
    await test.engine.idle();
    return outcome;
  } finally {
    await close();
    await test.close();
  }
}
