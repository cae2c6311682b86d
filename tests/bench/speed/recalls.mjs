/** Sends questions to an open engine, one after the other and many at once. */

const EXPANSION = { relations: true, entities: true, minImportance: 0, minStrength: 0, respectTags: false };
const WEEK = { start: '2025-06-01T00:00:00.000Z', end: '2025-06-08T00:00:00.000Z' };
const HINTS = {
  language: 'python',
  context: 'style',
  context_tags: ['user1'],
  context_types: ['Style'],
  priority_ids: [],
};
/** Names of the measured kinds of recall, and their additional fields. */
const KINDS = [
  ['recall', {}],
  ['recall, limit 20', { limit: 20 }],
  ['recall with both expansions', { expansion: EXPANSION }],
  ['recall with context hints', { hints: HINTS }],
  ['recall with a rare tag (0.3 %)', { tags: ['project:p7:area3'] }],
  ['recall with a tag (2 %)', { tags: ['project:p7'] }],
  ['recall in a week (2 %)', WEEK],
];
const CLIENTS = 16;

/** @param asked at least one question in `queries`, and other questions for the warm-up in `warmUp` */
export async function measureRecalls(engine, { queries, warmUp }, report) {
  await untilSearchedByMeaning(engine, queries[0]);
  for (const query of warmUp) await engine.recall({ query });
  let withoutVectors = 0;
  for (const [name, fields] of KINDS) {
    await report.recalls(name, queries, async query => {
      const { isVectorSearchEnabled } = await engine.recall({ query, ...fields });
      if (!isVectorSearchEnabled) withoutVectors += 1;
    });
  }
  await report.each('recall without a query', queries, () => engine.recall({}));
  if (withoutVectors > 0) report.value('recalls answered without vectors', '', withoutVectors);
  await measureLookups(engine, queries, report);
  await measureManyClients(engine, queries, report);
}

/** Repeats a recall until it uses vectors. A large store answers without vectors while it is still reading them. */
export async function untilSearchedByMeaning(engine, query) {
  while (!(await engine.recall({ query })).isVectorSearchEnabled);
}

async function measureLookups(engine, queries, report) {
  const page = { tags: ['user3'], limit: 20, offset: 0 };
  await report.each('by tag, 20 of 20 %', queries, () => engine.listByTag(page));
  const { memories } = await engine.listByTag({ tags: ['user2'], limit: 200, offset: 0 });
  const ids = queries.map((_, index) => memories[index % memories.length].memory.id);
  await report.each('get', ids, id => engine.get(id));
}

async function measureManyClients(engine, queries, report) {
  const one = await throughput(engine, queries, 1);
  const many = await throughput(engine, queries, CLIENTS);
  report.value('recalls of one client', '/s', one.perSecond);
  report.value('processor time of a recall, all threads', 'ms', one.processorMs);
  report.value(
    `recalls per second of ${CLIENTS} clients together, relative to one client`,
    '×',
    many.perSecond / one.perSecond,
  );
}

/** The clients share the questions. Questions are repeated if there are fewer than four for each client. */
async function throughput(engine, queries, clients) {
  const total = Math.max(queries.length, clients * 4);
  let asked = 0;
  const client = async () => {
    while (asked < total) await engine.recall({ query: queries[asked++ % queries.length] });
  };
  const usedBefore = process.cpuUsage();
  const startedMs = performance.now();
  await Promise.all(Array.from({ length: clients }, client));
  const perSecond = (total / (performance.now() - startedMs)) * 1000;
  const { user, system } = process.cpuUsage(usedBefore);
  return { perSecond, processorMs: (user + system) / 1000 / total };
}
