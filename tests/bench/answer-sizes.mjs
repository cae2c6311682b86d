/**
 * Counts the tokens (o200k) that a model reads: the list of tools, the instructions, and answers of `recall_memory` over
 * the memories of tests/mcp/varied-memories.jsonl, as text and as structured content. The overhead is what an answer has
 * besides the contents of its memories.
 *
 *   npm run build && node tests/bench/answer-sizes.mjs [--list]
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { readNewMemory } from '../../build/api/memory-requests.js';
import { systemClock } from '../../build/engine/clock.js';
import { loadConfig, openEngine } from '../../build/index.js';
import { createHandlers } from '../../build/mcp/handlers.js';
import { createMcpServer } from '../../build/mcp/server.js';
import { createMemoryClient } from '../../build/sharing/memory.js';

const { values: flags } = parseArgs({ options: { list: { type: 'boolean', default: false } } });
const LIMITS = [5, 10];
const RECALLS = readFileSync(new URL('../mcp/varied-recalls.jsonl', import.meta.url), 'utf8');
const MEMORIES = readFileSync(new URL('../mcp/varied-memories.jsonl', import.meta.url), 'utf8');

const out = line => process.stdout.write(`${line}\n`);
const silent = { debug() {}, info() {}, warn() {}, error() {} };
const parsed = lines =>
  lines
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
const tokens = value => countTokens(typeof value === 'string' ? value : JSON.stringify(value));

/** Runs `work` with an MCP client of an engine that contains only the memories of the file. */
async function withClient(work) {
  const dataDir = mkdtempSync(join(tmpdir(), 'engraph-bench-'));
  const config = loadConfig({ ENGRAPH_DATA_DIR: dataDir, EMBEDDING_PROVIDER: 'hash' });
  const engine = await openEngine(config, { log: silent });
  try {
    for (const memory of parsed(MEMORIES)) await engine.store(readNewMemory(memory, engine.limits));
    await engine.idle();
    const shared = { isReadOnly: false, reach: async () => ({ engine }) };
    const memory = createMemoryClient({ memory: shared, clock: systemClock, log: silent });
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

async function reportTools(client) {
  const { tools } = await client.listTools();
  const inputs = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  const outputs = tools.map(({ name, description, inputSchema, outputSchema }) => {
    return { name, description, inputSchema, outputSchema };
  });
  out(`tools/list: name, description, input      ${tokens(inputs)}`);
  out(`tools/list: with output schemas           ${tokens(outputs)}`);
  out(`tools/list: whole                         ${tokens(tools)}`);
  for (const [index, tool] of tools.entries()) {
    if (flags.list) out(`  ${tool.name}: ${tokens(inputs[index])}, output ${tokens(tool.outputSchema)}`);
  }
  out(`instructions                              ${tokens(client.getInstructions())}`);
}

async function sizesOf(client, args) {
  const { content, structuredContent } = await client.callTool({ name: 'recall_memory', arguments: args });
  const { results } = structuredContent;
  return {
    results: results.length,
    contents: results.reduce((sum, result) => sum + tokens((result.memory ?? result).content), 0),
    text: tokens(content.map(block => block.text).join('\n')),
    structured: tokens(structuredContent),
  };
}

function row(label, { results, contents, text, structured }) {
  const overhead = [text, structured].map(count => ((count - contents) / results).toFixed(1));
  const cells = [results, contents, text, structured].map(count => count.toFixed(1));
  out(`${label.padEnd(42)}${[...cells, ...overhead].map(cell => cell.padStart(10)).join('')}`);
}

await withClient(async client => {
  await reportTools(client);
  const titles = ['results', 'contents', 'text', 'struct.', 'over/res', 'struct./res'];
  out(`\n${'tokens of recalls (mean)'.padEnd(42)}${titles.map(title => title.padStart(10)).join('')}`);
  for (const limit of LIMITS) {
    const sizes = [];
    for (const args of parsed(RECALLS)) {
      sizes.push(await sizesOf(client, { ...args, limit }));
      if (flags.list) row(JSON.stringify(args).slice(0, 41), sizes.at(-1));
    }
    const mean = name => sizes.reduce((sum, each) => sum + each[name], 0) / sizes.length;
    row(`limit ${limit}, ${sizes.length} recalls`, {
      results: mean('results'),
      contents: mean('contents'),
      text: mean('text'),
      structured: mean('structured'),
    });
  }
});
