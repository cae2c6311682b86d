/**
 * Simulates a year with forgetting: how many memories are archived, and how often a later question needs an archived
 * one.
 *
 *   npm run build && node tests/bench/forgetting-year.mjs [--days 365] [--memories 5000] [--recalls 40] [--seed 1]
 *
 * The subjects in use change slowly, before the year and during the year. Each memory is about a subject that is in use
 * at its timestamp. Half of the memories are up to 120 days old at the beginning, so that none has faded yet. The
 * others are stored day by day. Nine of ten questions are about a subject in use, and the tenth is about any subject.
 * Each question asks for one random memory of its subject, with words of this memory. Settings are the defaults, but
 * forgetting runs daily and archives memories with a relevance below 0.05. The clock is manual.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadConfig, openEngine } from '../../build/index.js';
import { randomSource } from './corpus.mjs';
import { loadTypeScript } from './load-typescript.mjs';

const { values: flags } = parseArgs({
  options: {
    days: { type: 'string', default: '365' },
    memories: { type: 'string', default: '5000' },
    recalls: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
  },
});
const [days, memoryCount, recallsPerDay] = [flags.days, flags.memories, flags.recalls].map(Number);
const { createManualClock } = await loadTypeScript(new URL('../golden/index.ts', import.meta.url));
const SUBJECTS = 50;
const DAY_MS = 86_400_000;
const EARLY_DAYS = 120;
/** Share of the questions about the subject of a random memory. All other questions are about a subject in use. */
const ANY_SUBJECT = 0.1;
/** Number of subjects in use at a time. */
const BREADTH = 4;
const ALL = { tags: [], exclude_tags: [], tag_mode: 'any', tag_match: 'prefix' };

const random = randomSource(Number(flags.seed));
const below = max => Math.floor(random() * max);
const SYLLABLES = [
  'ka',
  'lo',
  'mi',
  'ter',
  'san',
  'vu',
  'rod',
  'pel',
  'gri',
  'no',
  'fas',
  'dum',
  'bex',
  'zo',
  'hil',
  'que',
];
const nameOf = number => [0, 4, 8].map(shift => SYLLABLES[(number >> shift) & 15]).join('');

const TYPES = ['Context', 'Habit', 'Preference', 'Style', 'Pattern', 'Decision', 'Insight'];
function memoryAt(index, subject, instantMs) {
  const words = [nameOf(index * 7 + 5), nameOf(index * 13 + 11)];
  return {
    id: randomUUID(),
    subject,
    words,
    input: {
      content: `${nameOf(subject * 37 + 2_000)} topic: the ${words[0]} of ${words[1]} was set to ${index}`,
      tags: [`subject:${subject}`],
      importance: Math.round(random() * 100) / 100,
      type: TYPES[below(TYPES.length)],
      metadata: {},
      timestamp: new Date(instantMs).toISOString(),
    },
  };
}

/** Returns a random subject that is in use on a day. The first day is 0, and the days before it are negative. */
const busyOn = day => Math.round((day / days) * SUBJECTS + (random() - 0.5) * BREADTH);

const dataDir = mkdtempSync(join(tmpdir(), 'engraph-bench-'));
const clock = createManualClock();
const settings = {
  ENGRAPH_DATA_DIR: dataDir,
  EMBEDDING_PROVIDER: 'hash',
  LOG_LEVEL: 'error',
  CONSOLIDATION_ARCHIVE_THRESHOLD: '0.05',
  // 0 disables the schedule. The benchmark itself runs each task on its day.
  CONSOLIDATION_DECAY_INTERVAL_SECONDS: '0',
  CONSOLIDATION_CREATIVE_INTERVAL_SECONDS: '0',
  CONSOLIDATION_CLUSTER_INTERVAL_SECONDS: '0',
};
const engine = await openEngine(loadConfig(settings), { clock });
const known = [];
async function store(made) {
  await engine.storeMany(made.map(({ input, id }) => ({ ...input, id })));
  known.push(...made);
}

try {
  const early = Math.floor(memoryCount / 2);
  const made = Array.from({ length: early }, (_, index) => {
    const agoDays = random() * EARLY_DAYS;
    return memoryAt(index, busyOn(-agoDays), clock.nowMs() - agoDays * DAY_MS);
  });
  for (let start = 0; start < early; start += 500) await store(made.slice(start, start + 500));
  const archived = new Map();
  const counts = { asked: 0, neededArchived: 0, found: 0, stopped: 0 };
  for (let day = 0; day < days; day++) {
    const due = Math.floor(((day + 1) / days) * (memoryCount - early)) + early - known.length;
    if (due > 0) {
      await store(
        Array.from({ length: due }, (_, index) => memoryAt(known.length + index, busyOn(day), clock.nowMs())),
      );
    }
    await engine.idle();
    for (let turn = 0; turn < recallsPerDay; turn++) {
      const wanted = random() < ANY_SUBJECT ? known[below(known.length)].subject : busyOn(day);
      const ofSubject = known.filter(memory => memory.subject === wanted);
      const target = ofSubject[below(ofSubject.length)];
      if (!target) continue;
      counts.asked += 1;
      if (archived.has(target.id)) counts.neededArchived += 1;
      const query = `What was the ${target.words[0]} of ${target.words[1]} set to?`;
      const { results } = await engine.recall({ ...ALL, query, limit: 10 });
      if (results.some(({ memory }) => memory.id === target.id)) counts.found += 1;
    }
    clock.advance(DAY_MS);
    const tasks = ['decay', ...(day % 7 === 6 ? ['creative'] : []), ...(day % 30 === 29 ? ['cluster'] : []), 'forget'];
    for (const mode of tasks) {
      const [{ changes, changeCount, stopped }] = await engine.consolidation.run({ mode, isDryRun: false });
      if (stopped) counts.stopped += 1;
      else if (mode === 'forget' && changeCount > changes.length) throw new Error('more changes than are shown');
      else if (mode === 'forget') for (const { id, numbers } of changes) archived.set(id, numbers);
    }
  }
  const importances = [...archived.values()].map(({ importance }) => importance);
  const share = ((100 * counts.neededArchived) / counts.asked).toFixed(2);
  process.stdout.write(
    `${known.length} memories, ${counts.asked} questions in ${days} days, ${counts.found} found among the first ten\n` +
      `archived: ${archived.size} (${((100 * archived.size) / known.length).toFixed(1)} %), runs stopped: ${counts.stopped}, ` +
      `highest importance archived: ${importances.length > 0 ? Math.max(...importances) : 'none'}\n` +
      `questions for an archived memory: ${counts.neededArchived} (${share} %)\n`,
  );
} finally {
  await engine.close();
  rmSync(dataDir, { recursive: true, force: true });
}
