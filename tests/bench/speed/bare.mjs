/**
 * The same questions without a recall around them: put to Engraph's own stores, and to what anybody could write in an
 * hour, a table of FTS5 and a comparison with every vector.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { queryTerms } from '../../../dist/domain/text.js';
import { createHashEmbedder } from '../../../dist/embedding/hash.js';
import { systemClock } from '../../../dist/engine/clock.js';
import { recall } from '../../../dist/recall/recall.js';
import { createTextCache } from '../../../dist/recall/score/text-cache.js';
import { openSqlitePair } from '../../../dist/stores/sqlite/store.js';
import { configOf } from './filled-store.mjs';
import { BARE } from './report.mjs';
import { tellShares } from './shares.mjs';
import { durationsOf, summary, timed } from './statistics.mjs';

const ALL = { limit: 5, tags: [], exclude_tags: [], tag_mode: 'any', tag_match: 'prefix' };
/** What a recall of five asks of the two. */
const WORDS_LIMIT = 60;
const VECTORS_LIMIT = 200;
const PAGE = 500;
/** Every vector is held in memory, and compared with each question. */
export const PLAIN_SIZE_MAX = 100_000;
const PLAIN_QUESTIONS_MAX = 50;

/**
 * Nobody else has the store open.
 *
 * @param asked `queries`, other questions for a `warmUp`, and `onShares`, which is told which parts a recall spends its time in; absent where that is not asked for
 */
export async function measureBare(dataDir, { queries, warmUp, onShares }, report) {
  const config = configOf(dataDir);
  const dimensions = config.input.vectorSize;
  const { graph, vectors } = openSqlitePair(dataDir, { dimensions, clock: systemClock });
  const embedder = createHashEmbedder(dimensions);
  try {
    const questionsOf = texts => Promise.all(texts.map(text => questionOf(text, embedder)));
    const questions = await questionsOf(queries);
    await untilVectorsAreRead(vectors, questions[0]);
    const parts = recallParts({ config, graph, vectors, embedder });
    await againstStores(parts, { questions, warmUp: await questionsOf(warmUp) }, report);
    if (onShares)
      await tellShares(
        parts,
        queries.map(query => ({ ...ALL, query })),
        onShares,
      );
    if (report.size <= PLAIN_SIZE_MAX) await measurePlain({ graph, vectors, dimensions, questions, report });
  } finally {
    await vectors.close();
    await graph.close();
  }
}

async function questionOf(text, embedder) {
  const [vector] = await embedder.embed([text], 'query');
  return { text, terms: queryTerms(text), vector, models: [embedder.model] };
}

/** Reading many takes longer than a search may. */
async function untilVectorsAreRead(vectors, { vector, models }) {
  const search = { vector, models, limit: 1, filter: {} };
  const isRead = () =>
    vectors.search(search).then(
      () => true,
      () => false,
    );
  while (!(await isRead()));
}

function recallParts({ config, graph, vectors, embedder }) {
  return {
    graph,
    vectors,
    embedder,
    settings: config.recall,
    clock: systemClock,
    texts: createTextCache(),
    onDegraded: error => process.stderr.write(`a recall went on without vectors: ${String(error)}\n`),
  };
}

/** The bare stores and a recall over them take turns, and in being first too: both meet the same machine. */
async function againstStores(parts, { questions, warmUp }, report) {
  const { graph, vectors } = parts;
  const bare = ({ terms, vector, models }) =>
    Promise.all([
      graph.searchText({ terms, filter: {}, limit: WORDS_LIMIT }),
      vectors.search({ vector, limit: VECTORS_LIMIT, filter: {}, models }),
    ]);
  const whole = ({ text }) => recall(parts, { ...ALL, query: text });
  for (const question of warmUp) {
    await bare(question);
    await whole(question);
  }
  const tookMs = { bare: [], whole: [] };
  for (const [turn, question] of questions.entries()) {
    const order = [
      ['bare', bare],
      ['whole', whole],
    ];
    if (turn % 2 === 1) order.reverse();
    for (const [name, action] of order) tookMs[name].push(await timed(() => action(question)));
  }
  report.add({ name: BARE, unit: 'ms', ...summary(tookMs.bare) });
  report.value('recall against the bare stores', '×', summary(tookMs.whole).p50 / summary(tookMs.bare).p50);
}

/** FTS5 as it comes, by bm25, and the cosine with every vector. */
async function measurePlain({ graph, vectors, dimensions, questions, report }) {
  const folder = mkdtempSync(join(tmpdir(), 'engraph-bench-'));
  const database = new Database(join(folder, 'plain.db'));
  try {
    const matrix = await copyInto(database, { graph, vectors, dimensions });
    const find = database.prepare('SELECT rowid FROM notes WHERE notes MATCH ? ORDER BY bm25(notes) LIMIT ?');
    const ask = async ({ text, vector }) => {
      const words = text.match(/\p{L}+/gu) ?? [];
      find.all([words.map(word => `"${word}"`).join(' OR '), WORDS_LIMIT]);
      nearest(matrix, vector, VECTORS_LIMIT);
    };
    const asked = questions.slice(0, PLAIN_QUESTIONS_MAX);
    await durationsOf(asked.slice(0, 5), ask);
    await report.each('plain: FTS5 and every cosine', asked, ask);
  } finally {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @returns all vectors, one after the other */
async function copyInto(database, { graph, vectors, dimensions }) {
  database.exec("PRAGMA journal_mode = WAL; CREATE VIRTUAL TABLE notes USING fts5 (content, tokenize = 'porter')");
  const insert = database.prepare('INSERT INTO notes (content) VALUES (?)');
  const matrix = new Float32Array((await vectors.count()) * dimensions);
  let row = 0;
  for (let afterId; ; ) {
    const page = await graph.readRecords({ limit: PAGE, ...(afterId && { afterId }) });
    const vectorOf = await vectors.vectorsOf(page.map(({ memory }) => memory.id));
    database.exec('BEGIN');
    for (const { memory } of page) {
      insert.run([memory.content]);
      const vector = vectorOf.get(memory.id);
      if (vector) matrix.set(vector, dimensions * row++);
    }
    database.exec('COMMIT');
    afterId = page.at(-1)?.memory.id;
    if (page.length < PAGE) return matrix;
  }
}

/** The rows of those vectors that have the largest dot products; all vectors have unit length. */
function nearest(matrix, vector, limit) {
  const { length } = vector;
  const similarities = new Float32Array(matrix.length / length);
  for (let row = 0; row < similarities.length; row++) {
    let dot = 0;
    const start = row * length;
    for (let index = 0; index < length; index++) dot += matrix[start + index] * vector[index];
    similarities[row] = dot;
  }
  const least = similarities.toSorted()[Math.max(0, similarities.length - limit)];
  const rows = [...similarities.keys()].filter(row => similarities[row] >= least);
  return rows.sort((a, b) => similarities[b] - similarities[a]).slice(0, limit);
}
