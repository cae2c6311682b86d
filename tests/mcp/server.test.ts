/** The server as a client sees it before the first call: tools, schemas, hints and instructions. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type ConnectedClient, connectClient, faultyEngine } from './connected-client.js';

describe('the MCP server', () => {
  let connected: ConnectedClient;
  beforeAll(async () => {
    connected = await connectClient(faultyEngine({}));
  });
  afterAll(() => connected.close());

  const listTools = async () => (await connected.client.listTools()).tools;

  it('lists the tools in a constant order', async () => {
    const names = (await listTools()).map(tool => tool.name);
    expect(names).toEqual([
      'store_memory',
      'recall_memory',
      'associate_memories',
      'update_memory',
      'delete_memory',
      'check_database_health',
    ]);
  });

  it.each(['tools/call', 'resources/read', 'prompts/get', 'completion/complete'])(
    'answers params of %s that do not fit with the code of invalid params, and names the field',
    async method => {
      const answer = connected.client.request({ method, params: { name: 5, uri: 5, ref: 5 } } as never, z.any());
      await expect(answer).rejects.toMatchObject({ code: -32_602, message: expect.stringMatching(/name|uri|ref/) });
    },
  );

  it('gives every tool a title, a description within the limit of clients, and all four hints', async () => {
    for (const tool of await listTools()) {
      expect(tool.title, tool.name).toBeTruthy();
      expect(tool.description?.length, tool.name).toBeGreaterThan(50);
      expect(tool.description?.length, tool.name).toBeLessThanOrEqual(2048);
      expect(tool.annotations, tool.name).toEqual({
        title: tool.title,
        readOnlyHint: expect.any(Boolean),
        destructiveHint: expect.any(Boolean),
        idempotentHint: expect.any(Boolean),
        openWorldHint: false,
      });
    }
  });

  it('marks recall as read-only and idempotent, and deletion as destructive', async () => {
    const hints = Object.fromEntries((await listTools()).map(tool => [tool.name, tool.annotations]));
    expect(hints.store_memory).toMatchObject({ readOnlyHint: false, destructiveHint: false });
    expect(hints.recall_memory).toMatchObject({ readOnlyHint: true, destructiveHint: false, idempotentHint: true });
    expect(hints.update_memory).toMatchObject({ readOnlyHint: false, idempotentHint: true });
    expect(hints.delete_memory).toMatchObject({ readOnlyHint: false, destructiveHint: true, idempotentHint: true });
  });

  it('gives every tool an input schema and an output schema', async () => {
    for (const tool of await listTools()) {
      expect(tool.inputSchema, tool.name).toMatchObject({ type: 'object' });
      const count = Object.keys(tool.inputSchema.properties ?? {}).length;
      expect(count > 0, tool.name).toBe(tool.name !== 'check_database_health');
      expect(tool.outputSchema, tool.name).toMatchObject({ type: 'object' });
      expect(JSON.stringify(tool.inputSchema), tool.name).not.toContain('"pattern"');
    }
  });

  it('describes every parameter, so that a client that ignores the instructions can use the tools', async () => {
    for (const tool of await listTools()) {
      for (const [name, schema] of Object.entries(tool.inputSchema.properties ?? {})) {
        if (name.startsWith('$')) continue;
        expect(schema, `${tool.name}.${name}`).toHaveProperty('description');
      }
    }
  });

  it('requires no parameter except memory_id of update_memory', async () => {
    const required = Object.fromEntries((await listTools()).map(tool => [tool.name, tool.inputSchema.required ?? []]));
    expect(required).toEqual({
      store_memory: [],
      recall_memory: [],
      associate_memories: [],
      update_memory: ['memory_id'],
      delete_memory: [],
      check_database_health: [],
    });
  });

  it('has instructions within the length limit, whose first 512 characters name the main tools', () => {
    const instructions = connected.client.getInstructions() ?? '';
    expect(Buffer.byteLength(instructions)).toBeLessThanOrEqual(2048);
    const [summary = ''] = instructions.split('\n\n');
    expect(summary.length).toBeLessThanOrEqual(512);
    expect(summary).toContain('recall_memory');
    expect(summary).toContain('store_memory');
    expect(instructions).toMatch(/Over 500 characters.*over 2000/);
  });

  it('reports its name and version', () => {
    expect(connected.client.getServerVersion()).toMatchObject({ name: 'engraph', version: '0.0.0-test' });
  });
});
