/**
 * Stores sets of conversations once, and evaluates the ranking on them many times in this process. The constants of the
 * ranking may be changed between two evaluations: only the steps after the search run again.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const RESULTS = 20;
const MONTHS = 'january february march april may june july august september october november december'.split(' ');
/** Accesses are written after so many questions: the service writes them after a second. */
const QUESTIONS_PER_WRITE = 40;
/** The instant of all writes and questions, so that each memory has the same recency in every evaluation. */
const NOW_MS = Date.parse('2026-03-01T12:00:00Z');

/** Reads "1:56 pm on 8 May, 2023". */
function sessionMs(text) {
  const [, hour, minute, half, day, month, year] = /(\d+):(\d+)\s*(am|pm)\s+on\s+(\d+)\s+(\w+),?\s+(\d{4})/i.exec(text);
  const hours = (Number(hour) % 12) + (/pm/i.test(half) ? 12 : 0);
  return Date.UTC(Number(year), MONTHS.indexOf(month.toLowerCase()), Number(day), hours, Number(minute));
}

function turnsOf({ sample_id: id, conversation }) {
  const sessions = Object.keys(conversation).filter(key => /^session_\d+$/.test(key));
  return sessions
    .sort((a, b) => Number(a.slice(8)) - Number(b.slice(8)))
    .flatMap(key =>
      conversation[key].map((turn, index) => ({
        content: `${turn.speaker}: ${turn.text}${turn.blip_caption ? ` [shared a photo: ${turn.blip_caption}]` : ''}`,
        type: 'Context',
        tags: [`conversation:${id}`, key, `speaker:${turn.speaker.toLowerCase()}`],
        timestamp: new Date(sessionMs(conversation[`${key}_date_time`]) + index * 30_000).toISOString(),
        metadata: { label: turn.dia_id },
      })),
    );
}

/** Reads LoCoMo: each turn is a memory. Questions of category 5 have no answer: they are asked, but not counted. */
export function readLocomo(file) {
  return JSON.parse(readFileSync(file, 'utf8')).map(sample => ({
    name: sample.sample_id,
    memories: turnsOf(sample),
    questions: sample.qa
      .map(({ question, evidence, category }) => ({ question, gold: goldOf(evidence), isCounted: category !== 5 }))
      .filter(({ gold }) => gold.length > 0),
  }));
}

function goldOf(evidence = []) {
  return [...new Set(evidence.flatMap(each => String(each).match(/D\d+:\d+/g) ?? []))];
}

/** Reads BEAM: the first `cut` characters of each message are a memory. */
export function readBeam(file, cut = 2_000) {
  return JSON.parse(readFileSync(file, 'utf8')).map(chat => ({
    name: chat.id,
    memories: chat.messages.map((message, index) => ({
      content: `${message.role === 'user' ? 'User' : 'Assistant'}: ${message.content.replace(/\s*->->.*$/s, '')}`
        .slice(0, cut)
        .trim(),
      type: 'Context',
      tags: [`conversation:${chat.id}`, `role:${message.role}`],
      timestamp: new Date(Date.parse(`${message.day.replaceAll('-', ' ')} 09:00 UTC`) + index * 30_000).toISOString(),
      metadata: { label: message.id },
    })),
    questions: chat.questions.map(each => ({ ...each, isCounted: each.gold.length > 0 })),
  }));
}

/** Opens a set. @param folder the data folder; a folder that exists already contains the memories of the set */
export async function openSet(units, { folder, provider, model, code }) {
  const fromCode = path => import(pathToFileURL(join(resolve(code), path)).href);
  const { loadConfig, openEngine } = await fromCode('index.js');
  const { readNewMemory } = await fromCode('api/memory-requests.js');
  const { systemClock } = await fromCode('engine/clock.js');
  const clock = { ...systemClock, nowMs: () => NOW_MS };
  const config = loadConfig({
    ENGRAPH_DATA_DIR: folder,
    VECTOR_SIZE: '1024',
    EMBEDDING_PROVIDER: provider,
    LOG_LEVEL: 'warn',
    ...(model && { LOCAL_EMBEDDING_PATH: resolve(model) }),
  });
  if (!existsSync(folder)) {
    const engine = await openEngine(config, { clock });
    for (const { memories } of units) {
      for (let from = 0; from < memories.length; from += 100) {
        const batch = memories.slice(from, from + 100);
        await engine.storeMany(batch.map(memory => readNewMemory(memory, engine.limits)));
      }
    }
    await engine.idle();
    await engine.close();
  }
  return prepare(units, { fromCode, config, clock });
}

async function prepare(units, { fromCode, config, clock }) {
  const { openStores } = await fromCode('engine/open-stores.js');
  const { createEmbedder } = await fromCode('embedding/providers.js');
  const { createContext } = await fromCode('recall/context.js');
  const { runSteps } = await fromCode('recall/steps.js');
  const { analyze } = await fromCode('recall/score/text.js');
  const { EMPTY_POOL } = await fromCode('recall/pool.js');
  const { retrieve } = await fromCode('recall/retrieve/retrieve.js');
  const { RECALL_DEFAULTS } = await fromCode('domain/recall.js');
  const { readRecall } = await fromCode('api/recall-request.js');
  const { UTC } = await fromCode('time/calendar.js');
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const stores = await openStores({ config, clock, log, onRecovery() {} });
  const { embedder } = await createEmbedder(config.embedding, { log, clock });
  const memories = new Map();
  const parts = {
    graph: rememberMemories(rememberNeighbours(stores.graph), memories),
    vectors: rememberComparisons(stores.vectors),
    embedder,
    settings: config.recall,
    zone: UTC,
    clock,
    onDegraded: error => {
      throw error;
    },
  };
  const asked = [];
  for (const { name, questions } of units) {
    for (const { question, gold, isCounted } of questions) {
      const parameters = { query: question, tags: `conversation:${name}`, tag_match: 'exact', limit: String(RESULTS) };
      const query = { ...RECALL_DEFAULTS, ...readRecall(parameters, config.input) };
      const context = await createContext(parts, query);
      const pool = await runSteps([retrieve], context, EMPTY_POOL);
      asked.push({ unit: name, context, pool, gold, isCounted, question });
    }
  }
  return {
    fromCode,
    asked,
    setAccess: ({ id }, accessedMs) => {
      analyze(memories.get(id)).accessedMs = accessedMs;
    },
    memories,
    settings: config.recall,
    close: async () => {
      await embedder.close();
      await stores.close();
    },
  };
}

/** Returns one record of each memory, so that an evaluation can set the time of the last access. */
function rememberMemories(graph, memories) {
  const remembered = found => {
    for (const [id, memory] of found) if (!memories.has(id)) memories.set(id, memory);
    return new Map([...found.keys()].map(id => [id, memories.get(id)]));
  };
  const calls = {
    getMemories: async ids => remembered(await graph.getMemories(ids)),
    relationsWithEnds: async request => {
      const read = await graph.relationsWithEnds(request);
      return { ...read, memories: remembered(read.memories) };
    },
  };
  return new Proxy(graph, { get: (target, name) => calls[name] ?? target[name] });
}

/** Neighbours do not depend on constants, so each is read once. */
function rememberNeighbours(graph) {
  const known = new Map();
  const neighbours = async ({ ids, ...request }) => {
    const key = id => `${id} ${request.span} ${request.keys}`;
    const unknown = ids.filter(id => !known.has(key(id)));
    if (unknown.length > 0) {
      for (const id of unknown) known.set(key(id), []);
      for (const each of await graph.neighbours({ ids: unknown, ...request })) known.get(key(each.of)).push(each);
    }
    return ids.flatMap(id => known.get(key(id)));
  };
  return new Proxy(graph, {
    get: (target, name) => {
      if (name === 'neighbours') return neighbours;
      const value = target[name];
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Similarities do not depend on constants either. */
function rememberComparisons(vectors) {
  const known = new WeakMap();
  const compare = async (ids, question) => {
    const ofQuestion = known.get(question.vector) ?? new Map();
    known.set(question.vector, ofQuestion);
    const unknown = ids.filter(id => !ofQuestion.has(id));
    if (unknown.length > 0) {
      const found = await vectors.compare(unknown, question);
      for (const id of unknown) ofQuestion.set(id, found.get(id));
    }
    return new Map(ids.flatMap(id => (ofQuestion.get(id) ? [[id, ofQuestion.get(id)]] : [])));
  };
  return new Proxy(vectors, {
    get: (target, name) => {
      if (name === 'compare') return compare;
      const value = target[name];
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/**
 * Ranks all questions with the present constants, one after the other. Results with evidence of their own count as
 * accessed from then on, as in the service. Resolves to the figures of each question.
 */
export async function evaluate({ fromCode, asked, memories, setAccess }, { withAccesses = true } = {}) {
  const { PAGE_STEPS, runSteps } = await fromCode('recall/steps.js');
  const { isEvidence } = await fromCode('recall/score/evidence.js');
  const rows = [];
  for (const memory of memories.values()) setAccess(memory, Date.parse(memory.last_accessed));
  const waiting = [];
  let count = 0;
  for (const { unit, context, pool, gold, isCounted } of asked) {
    const found = await runSteps(PAGE_STEPS.slice(1), context, pool);
    if (withAccesses) waiting.push(...found.kept.filter(({ own }) => isEvidence(own)));
    if (++count % QUESTIONS_PER_WRITE === 0) {
      for (const { memory } of waiting.splice(0)) setAccess(memory, NOW_MS);
    }
    if (!isCounted) continue;
    const ranked = found.kept.slice(0, RESULTS).map(({ memory }) => memory.metadata.label);
    const share = count => gold.filter(each => ranked.slice(0, count).includes(each)).length / gold.length;
    const place = ranked.findIndex(each => gold.includes(each));
    rows.push({ unit, r5: share(5), r10: share(10), r20: share(20), mrr: place < 0 ? 0 : 1 / (place + 1) });
  }
  return rows;
}

/** The mean figures of rows, in percent. */
export function meanOf(rows) {
  const mean = name => (100 * rows.reduce((sum, row) => sum + row[name], 0)) / rows.length;
  return { r5: mean('r5'), r10: mean('r10'), r20: mean('r20'), mrr: mean('mrr') };
}
