/**
 * Synthetic memories with the statistics of notes: word frequencies by Zipf, topics, hierarchical tags, and
 * timestamps within a year.
 */

const SYLLABLES =
  'ba be bi bo bu da de di do du ka ke ki ko ku la le li lo lu ma me mi mo mu na ne ni no nu ra re ri ro ru sa se si so su ta te ti to tu'.split(
    ' ',
  );
const COMMON =
  'the a of to and in is for on with we it that this was are be as at by from have not they will you use when after into'.split(
    ' ',
  );
const VOCABULARY_SIZE = 20_000;
const START_MS = Date.UTC(2025, 0, 1);
const YEAR_MS = 365 * 86_400_000;

/** Deterministic pseudo-random numbers in [0, 1) (mulberry32). */
export function randomSource(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function word(rank) {
  let rest = rank;
  let text = '';
  do {
    text += SYLLABLES[rest % SYLLABLES.length];
    rest = Math.floor(rest / SYLLABLES.length);
  } while (rest > 0);
  return `${text}${SYLLABLES[(rank * 7) % SYLLABLES.length]}`;
}

const VOCABULARY = Array.from({ length: VOCABULARY_SIZE }, (_, rank) => word(rank));

/** Rank by an approximate Zipf law: rank k is drawn in proportion to 1/k. */
function zipfRank(random) {
  return Math.min(VOCABULARY_SIZE - 1, Math.floor(Math.exp(random() * Math.log(VOCABULARY_SIZE))) - 1);
}

/** Memories in the form of POST /memory, one after the other. */
export function* streamMemories(count, seed = 1) {
  const random = randomSource(seed);
  for (let index = 0; index < count; index++) {
    const length = 12 + Math.floor(random() * 30);
    const words = Array.from({ length }, () =>
      random() < 0.35 ? COMMON[Math.floor(random() * COMMON.length)] : VOCABULARY[zipfRank(random)],
    );
    yield {
      content: words.join(' '),
      tags: [
        `project:p${index % 50}:area${index % 7}`,
        `topic:${VOCABULARY[Math.floor(random() * 500)]}`,
        `user${index % 5}`,
      ],
      importance: Math.round(random() * 100) / 100,
      metadata: { source: 'bench', index },
      timestamp: new Date(START_MS + Math.floor((index / count) * YEAR_MS)).toISOString(),
    };
  }
}

/** The memories of `streamMemories` as one array. */
export function makeMemories(count, seed = 1) {
  return [...streamMemories(count, seed)];
}

/** Memories in batches of 500, each batch with its own seed. */
export function batchesOf(count, firstSeed) {
  return Array.from({ length: Math.ceil(count / 500) }, (_, index) =>
    makeMemories(Math.min(500, count - index * 500), firstSeed + index),
  );
}

/** The same memory with additional tags. */
export function tagged(memory, tags) {
  return { ...memory, tags: [...memory.tags, ...tags] };
}

/** Makes questions of three to eight words. All words of a question are taken from one memory. */
export function makeQueries(memories, count, seed = 2) {
  const random = randomSource(seed);
  return Array.from({ length: count }, () => {
    const words = memories[Math.floor(random() * memories.length)].content.split(' ');
    const length = 3 + Math.floor(random() * 6);
    return Array.from({ length }, () => words[Math.floor(random() * words.length)]).join(' ');
  });
}
