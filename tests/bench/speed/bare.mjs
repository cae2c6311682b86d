/** Sends the same questions directly to Engraph's two stores, and to a recall for comparison. */
import { queryTerms } from '../../../build/domain/text/terms.js';
import { createHashEmbedder } from '../../../build/embedding/hash.js';
import { systemClock } from '../../../build/engine/clock.js';
import { recall } from '../../../build/recall/recall.js';
import { openSqlitePair } from '../../../build/stores/sqlite/store.js';
import { UTC } from '../../../build/time/calendar.js';
import { configOf } from './filled-store.mjs';
import { measurePlain } from './plain.mjs';
import { BARE } from './report.mjs';
import { tellShares } from './shares.mjs';
import { summary, timed } from './statistics.mjs';

const ALL = { limit: 5, tags: [], exclude_tags: [], tag_mode: 'any', tag_match: 'prefix' };
/** Limits of the two searches that a recall of five results sends to the stores. */
const WORDS_LIMIT = 60;
const VECTORS_LIMIT = 200;

/**
 * The store must not be open in another process.
 *
 * @param asked `queries`, other questions for a `warmUp`, and optionally `onShares`, which is called with lines of text
 * about the time that each part of a recall takes
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
    await measurePlain({ graph, vectors, dimensions, questions, report });
  } finally {
    await vectors.close();
    await graph.close();
  }
}

async function questionOf(text, embedder) {
  const [vector] = await embedder.embed([text], 'query');
  return { text, terms: queryTerms(text), vector, models: [embedder.model] };
}

/** Repeats a search until it succeeds, because reading many vectors takes longer than the time limit of a search. */
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
    zone: UTC,
    clock: systemClock,
    onDegraded: error => process.stderr.write(`a recall went on without vectors: ${String(error)}\n`),
  };
}

/** Sends each question to the bare stores and to a recall. Their order alternates, to be fair. */
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
