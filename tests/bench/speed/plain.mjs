/** Measures a simple baseline: standard FTS5 with BM25, and the cosine of the question with every vector. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { durationsOf } from './statistics.mjs';

/** Maximum number of memories. Every vector is kept in memory, and compared with each question. */
const SIZE_MAX = 100_000;
const QUESTIONS_MAX = 50;
const PAGE = 500;
/** Limits of the two searches, the same as in `bare.mjs`. */
const WORDS_LIMIT = 60;
const VECTORS_LIMIT = 200;

/** Copies the memories into a plain database and measures it, unless there are more than `SIZE_MAX` memories. */
export async function measurePlain({ graph, vectors, dimensions, questions, report }) {
  if (report.size > SIZE_MAX) return;
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
    const asked = questions.slice(0, QUESTIONS_MAX);
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

/** The rows of the vectors with the largest dot products; all vectors have unit length. */
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
