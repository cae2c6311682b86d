/** A memory behind the REST interface, with short functions to fill and query it. */
import { afterAll, expect } from 'vitest';
import { createTestApp, send } from '../http/test-app.js';
import { openTestEngine } from '../support/test-engine.js';

export interface Stored {
  content: string;
  [field: string]: unknown;
}

/** The body of an answer. Tests may read any of its fields. */
export interface Answered {
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
  [field: string]: any;
}

/** Opens a memory for the tests of one file. @param env settings by the name of their variable */
export async function openRecallApp(env: Record<string, string> = {}) {
  const memory = await openTestEngine(env);
  const app = createTestApp({ engine: memory.engine, log: memory.log });
  afterAll(memory.close);
  const names = new Map<string, string>();

  const request = async (route: string, json?: unknown, status = 200): Promise<Answered> => {
    const answer = await send(app, route, json === undefined ? {} : { json });
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
    return answer.body;
  };

  return {
    ...memory,
    request,
    /** Stores each memory under a name. `idOf`, `nameOf`, `associate` and `recall` use these names. */
    store: async (memories: Record<string, Stored>) => {
      for (const [name, json] of Object.entries(memories)) {
        const { memory_id } = await request('POST /memory', json, 201);
        names.set(name, memory_id);
      }
      await memory.engine.idle();
    },
    idOf: (name: string): string => names.get(name) ?? name,
    nameOf: (id: string): string => [...names].find(([, known]) => known === id)?.[0] ?? id,
    associate: (from: string, type: string, to: string, more: object = {}) =>
      request('POST /associate', { memory1_id: names.get(from), memory2_id: names.get(to), type, ...more }, 201),
    /** Sends a recall and returns the complete answer. */
    ask: (parameters: Record<string, string | string[]>, status = 200) =>
      request(`GET /recall?${encode(parameters)}`, undefined, status),
    /** Sends a recall and returns the names of the results, in order. */
    recall: async (parameters: Record<string, string | string[]>): Promise<string[]> => {
      const { results } = await request(`GET /recall?${encode(parameters)}`);
      return results.map((result: { id: string }) => [...names].find(([, id]) => id === result.id)?.[0] ?? result.id);
    },
  };
}

function encode(parameters: Record<string, string | string[]>): URLSearchParams {
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    [value].flat().map((item): [string, string] => [name, item]),
  );
  return new URLSearchParams(pairs);
}
