/**
 * Measures how many bytes the answer of `recall_memory` has, in its text and in its structured content: for 20 recalls
 * over the golden memories, and for one recall of a single small memory.
 *
 *   npm run build && node tests/bench/answer-sizes.mjs [--limit 5] [--list]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { createViteServer } from 'vitest/node';
import { readNewMemory } from '../../dist/api/requests/memory.js';
import { createClient } from '../../dist/client/client.js';
import { createMemoryApp } from '../../dist/http/memory-app.js';
import { loadConfig, openEngine } from '../../dist/index.js';
import { createHandlers } from '../../dist/mcp/handlers.js';
import { createMcpServer } from '../../dist/mcp/server.js';

const { values: flags } = parseArgs({
  options: { limit: { type: 'string', default: '5' }, list: { type: 'boolean', default: false } },
});
const RECALLS = 20;
const SMALL = { content: 'Ann likes tea.', tags: ['people:ann'] };

const out = line => process.stdout.write(`${line}\n`);
const bytes = text => Buffer.byteLength(text);
const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** Loads the golden memories and a sample of the golden questions, which are written in TypeScript. */
async function golden() {
  const loader = await createViteServer({ configFile: false, logLevel: 'error', server: { middlewareMode: true } });
  const { MEMORIES, goldenId } = await loader.ssrLoadModule('/tests/golden/memories.ts');
  const { ANSWERABLE_QUERIES } = await loader.ssrLoadModule('/tests/golden/queries.ts');
  await loader.close();
  const memories = Object.entries(MEMORIES).map(([name, { at, from, until, invalidatedBy: _, ...fields }]) => ({
    ...fields,
    id: goldenId(name),
    timestamp: at,
    last_accessed: at,
    t_valid: from,
    t_invalid: until,
  }));
  const questions = ANSWERABLE_QUERIES.map(({ ask }) => ask).filter(ask => typeof ask === 'string');
  const step = questions.length / RECALLS;
  return { memories, questions: Array.from({ length: RECALLS }, (_, index) => questions[Math.floor(index * step)]) };
}

/** Runs `work` with an MCP client of an engine that contains only the given memories. */
async function withClient(memories, work) {
  const dataDir = mkdtempSync(join(tmpdir(), 'engraph-bench-'));
  const config = loadConfig({ ENGRAPH_DATA_DIR: dataDir, EMBEDDING_PROVIDER: 'hash' });
  const engine = await openEngine(config, { log: silent });
  try {
    await engine.storeMany(memories.map(memory => readNewMemory(memory, engine.limits)));
    await engine.idle();
    const app = createMemoryApp(engine, silent);
    const memory = createClient({ url: 'http://memory', fetch: (url, init) => app.fetch(new Request(url, init)) });
    const handlers = createHandlers({ memory, limits: engine.limits, content: config.content, log: silent });
    const server = createMcpServer({ content: config.content, version: '0.0.0', handlers: async () => handlers });
    const client = new Client({ name: 'bench', version: '0' });
    const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
    await server.connect(serverEnd);
    await client.connect(clientEnd);
    await work(client);
    await client.close();
  } finally {
    await engine.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function sizesOf(client, args) {
  const { content, structuredContent } = await client.callTool({ name: 'recall_memory', arguments: args });
  const { results } = structuredContent;
  return {
    memories: results.reduce((sum, result) => sum + bytes((result.memory ?? result).content), 0),
    text: content.reduce((sum, block) => sum + bytes(block.text), 0),
    structured: bytes(JSON.stringify(structuredContent)),
  };
}

function report(label, { memories, text, structured }) {
  const numbers = [memories, text, structured].map(number => String(Math.round(number)).padStart(8));
  out(`${label.padEnd(44)}${numbers.join('')}${(structured / text).toFixed(2).padStart(8)}`);
}

function mean(sizes) {
  const meanOf = name => sizes.reduce((sum, each) => sum + each[name], 0) / sizes.length;
  return { memories: meanOf('memories'), text: meanOf('text'), structured: meanOf('structured') };
}

const { memories, questions } = await golden();
out(`${'bytes of'.padEnd(44)}memories    text  struct.   ratio`);
await withClient(memories, async client => {
  const sizes = [];
  for (const query of questions) {
    const size = await sizesOf(client, { query, limit: Number(flags.limit) });
    sizes.push(size);
    if (flags.list) report(query.slice(0, 43), size);
  }
  report(`${RECALLS} recalls, mean`, mean(sizes));
  const { tools } = await client.listTools();
  const listed = tools.find(({ name }) => name === 'recall_memory');
  out(
    `listed: input ${bytes(JSON.stringify(listed.inputSchema))}, output ${bytes(JSON.stringify(listed.outputSchema))}`,
  );
});
await withClient([SMALL], async client => report('one small memory', await sizesOf(client, { query: 'tea' })));
