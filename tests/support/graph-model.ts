/**
 * A graph in memory: the shortest code that fulfils the contract of GraphStore, without indexes. Property tests compare
 * the stores with it, and it shows what a new store has to do.
 */
import { idTaken } from '../../src/domain/errors.js';
import { hasSamePayload, type MemoryFilter, passesFilter } from '../../src/domain/filter.js';
import type { Memory } from '../../src/domain/memory.js';
import { AUTHORABLE_RELATION_TYPES, type Relation } from '../../src/domain/relation.js';
import { tagKeys } from '../../src/domain/tags.js';
import { indexedTerms, inverseDocumentFrequency } from '../../src/domain/text/terms.js';
import { WAIT_HORIZON_MS } from '../../src/domain/time.js';
import { frozenMemory } from '../../src/stores/cached-record.js';
import type { GraphStore, Lease, TypeCount } from '../../src/stores/graph-store.js';
import type { MemoryChange, NewRecord, SaveOutcome } from '../../src/stores/ports/memory-store.js';
import type { AuxiliaryNode, NodeLink } from '../../src/stores/ports/node-store.js';
import type {
  ListOrder,
  ListRequest,
  Neighbour,
  NeighbourRequest,
  TextAnswer,
  TextSearch,
} from '../../src/stores/ports/search-index.js';
import { WORK_KINDS } from '../../src/stores/ports/work-queue.js';
import { createQueueModel, type Row } from './queue-model.js';

type Compare<Item> = (a: Item, b: Item) => number;

/** Compares by several keys, of which a later one decides only if the earlier ones are equal. */
function byKeys<Item>(...keys: ((item: Item) => number | string)[]): Compare<Item> {
  return (a, b) => {
    for (const key of keys) {
      const [one, other] = [key(a), key(b)];
      if (one !== other) return one < other ? -1 : 1;
    }
    return 0;
  };
}

const created = ({ timestamp }: Memory) => Date.parse(timestamp);
const updated = ({ updated_at }: { updated_at: string }) => Date.parse(updated_at);
const lastChangedFirst = (record: { updated_at: string }) => -updated(record);
const idOfMemory = ({ id }: { id: string }) => id;

const newestFirst = (memory: Memory) => -created(memory);
const ORDERS: Record<ListOrder, Compare<Memory>> = {
  importance: byKeys<Memory>(({ importance }) => -importance, newestFirst, idOfMemory),
  newest: byKeys<Memory>(newestFirst, idOfMemory),
  oldest: byKeys<Memory>(created, idOfMemory),
  updated_desc: byKeys<Memory>(lastChangedFirst, newestFirst, idOfMemory),
  updated_asc: byKeys<Memory>(updated, created, idOfMemory),
};

const keyOfEdge = ({ from, type, to }: Pick<Relation, 'from' | 'type' | 'to'>) => JSON.stringify([from, type, to]);
const keyOfNode = (kind: string, id: string) => JSON.stringify([kind, id]);
const keyOfLink = ({ memoryId, kind, nodeId }: NodeLink) => JSON.stringify([memoryId, kind, nodeId]);
const isAuthored = ({ type }: Relation) => AUTHORABLE_RELATION_TYPES.includes(type);

export function createGraphModel(): GraphStore {
  const rows = new Map<string, Row>();
  /** The words of each memory, because analyzing them takes most of the time of a search. */
  const analyzed = new WeakMap<Memory, Set<string>>();
  const edges = new Map<string, Relation>();
  const nodes = new Map<string, AuxiliaryNode>();
  const links = new Map<string, NodeLink>();
  const leases = new Map<string, Pick<Lease, 'holder' | 'untilMs'>>();
  const stale = new Map<string, number>();
  let count = 0;
  const { queue, enqueue, hold, restartClaimed, settle, forEachClaim } = createQueueModel(rows);

  const memories = () => [...rows.values()].map(({ memory }) => memory);
  const passing = (filter: MemoryFilter) => memories().filter(memory => passesFilter(memory, filter));
  const listed = ({ filter, order, limit, offset = 0 }: ListRequest) =>
    passing(filter)
      .sort(ORDERS[order])
      .slice(offset, offset + limit);
  const page = <Item>(
    items: Item[],
    id: (item: Item) => string,
    { afterId = '', limit }: { afterId?: string; limit: number },
  ) =>
    items
      .filter(item => id(item) > afterId)
      .sort(byKeys(id))
      .slice(0, limit);
  const noteStale = (id: string) => {
    stale.delete(id);
    stale.set(id, ++count);
  };

  const rewrite = (row: Row, memory: Memory) => {
    if (!Number.isFinite(memory.importance)) throw new Error('A memory without importance is refused');
    if (memory.content !== row.memory.content) row.embedding = undefined;
    if (memory.embedded_by !== undefined && !hasSamePayload(row.memory, memory)) noteStale(memory.id);
    row.memory = frozenMemory(structuredClone(memory));
    restartClaimed(row);
  };
  const applyChange = (row: Row, { memory, embedding, work, history }: MemoryChange) => {
    rewrite(row, memory);
    row.embedding = embedding ?? row.embedding;
    if (history) saveNode({ kind: 'MemoryHistory', id: memory.id, ...history });
    for (const kind of work) enqueue(row, kind);
  };
  const insert = ({ memory, embedding, work }: NewRecord) => {
    const queued = WORK_KINDS.filter(kind => work.includes(kind)).map(
      kind => [kind, { dueMs: 0, attempts: 0 }] as const,
    );
    const row: Row = { memory: frozenMemory(structuredClone(memory)), row: ++count, embedding, work: new Map(queued) };
    rows.set(memory.id, row);
    hold(row);
  };
  const outcomesOf = (records: readonly NewRecord[]): SaveOutcome[] => {
    const contents = new Map([...rows].map(([id, { memory }]) => [id, memory.content]));
    return records.map(({ memory: { id, content }, isNew }, index) => {
      const existing = contents.get(id);
      if (existing === content && !isNew) return 'replayed';
      if (existing !== undefined) throw idTaken(id, { index, isSameContent: existing === content });
      contents.set(id, content);
      return 'created';
    });
  };
  const save = (records: readonly NewRecord[]): SaveOutcome[] => {
    const outcomes = outcomesOf(records);
    for (const [index, record] of records.entries()) if (outcomes[index] === 'created') insert(record);
    return outcomes;
  };
  const remove = (id: string) => {
    rows.delete(id);
    nodes.delete(keyOfNode('MemoryHistory', id));
    for (const [key, { from, to }] of edges) if (from === id || to === id) edges.delete(key);
    for (const [key, { memoryId }] of links) if (memoryId === id) links.delete(key);
    noteStale(id);
  };

  const saveEdge = (edge: Relation): boolean => {
    const hasEnds = rows.has(edge.from) && rows.has(edge.to);
    if (hasEnds) edges.set(keyOfEdge(edge), structuredClone(edge));
    return hasEnds;
  };
  const rowOf = (id: string) => rows.get(id)?.row ?? 0;
  const bestFirst = byKeys<Relation>(
    edge => (isAuthored(edge) ? 0 : 1),
    ({ strength }) => -strength,
    each => -updated(each),
    ({ type }) => type,
    ({ from }) => rowOf(from),
    ({ to }) => rowOf(to),
  );
  const relationsOf: GraphStore['relationsOf'] = async request => {
    const { ids, limit, minStrength = 0, types, isOutgoingOnly = false } = request;
    const isWanted = (id: string, { from, to, type, strength }: Relation) =>
      (from === id || (to === id && !isOutgoingOnly)) && strength >= minStrength && (types?.includes(type) ?? true);
    const of = (id: string) =>
      [...edges.values()]
        .filter(edge => isWanted(id, edge))
        .sort(bestFirst)
        .slice(0, limit);
    return new Map(ids.map(id => [id, of(id)]));
  };
  const getMemories: GraphStore['getMemories'] = async ids =>
    new Map(ids.flatMap(id => (rows.has(id) ? [[id, (rows.get(id) as Row).memory] as const] : [])));

  const saveNode = (node: AuxiliaryNode) => void nodes.set(keyOfNode(node.kind, node.id), structuredClone(node));
  const linkNode = (link: NodeLink) => {
    if (rows.has(link.memoryId) && nodes.has(keyOfNode(link.kind, link.nodeId)))
      links.set(keyOfLink(link), { ...link });
  };
  const nodesOf = (kind: string) => [...nodes.values()].filter(node => node.kind === kind);

  const searchText = ({ terms, filter, limit }: TextSearch): TextAnswer => {
    for (const memory of memories()) {
      if (!analyzed.has(memory)) analyzed.set(memory, new Set(Object.values(indexedTerms(memory)).flat()));
    }
    const words = new Map(memories().map(memory => [memory.id, analyzed.get(memory)]));
    const frequencies = new Map(terms.map(term => [term, [...words.values()].filter(each => each?.has(term)).length]));
    const weightOf = (id: string) =>
      terms
        .filter(term => words.get(id)?.has(term))
        .reduce((sum, term) => sum + inverseDocumentFrequency(frequencies.get(term) ?? 0, rows.size), 0);
    const hits = passing(filter)
      .map(({ id }) => ({ id, score: weightOf(id) }))
      .filter(({ score }) => score > 0)
      .sort(
        byKeys(
          ({ score }) => -score,
          ({ id }) => -rowOf(id),
        ),
      );
    return { hits: hits.slice(0, limit), statistics: { memoryCount: rows.size, frequencies } };
  };
  const neighboursOf = (memory: Memory, { span, maxGapMs, keys }: Omit<NeighbourRequest, 'ids'>): Neighbour[] => {
    const own = tagKeys(memory.tags).filter(key => keys?.includes(key) ?? true);
    const gapTo = (other: Memory) => created(other) - created(memory);
    const near = memories().filter(
      other =>
        tagKeys(other.tags).some(key => own.includes(key)) && gapTo(other) !== 0 && Math.abs(gapTo(other)) <= maxGapMs,
    );
    return [-1, 1].flatMap(side =>
      near
        .filter(other => Math.sign(gapTo(other)) === side)
        .sort(
          byKeys(
            other => Math.abs(gapTo(other)),
            ({ id }) => side * rowOf(id),
          ),
        )
        .slice(0, span)
        .map(({ id }, index) => ({ of: memory.id, id, distance: side * (index + 1) })),
    );
  };

  return {
    description: 'in memory',
    name: 'model',
    holdsVectors: false,
    saveMemories: async given => {
      const records: NewRecord[] = [];
      for await (const part of Symbol.asyncIterator in given ? given : [given]) records.push(...part);
      return save(records);
    },
    getMemories,
    updateMemory: async (id, change) => {
      const row = rows.get(id);
      if (!row) return undefined;
      const made = change(row.memory, nodes.get(keyOfNode('MemoryHistory', id)));
      applyChange(row, made);
      return made.memory;
    },
    deleteMemories: async (ids, updatedAt) => {
      const isSame = (id: string) => rows.get(id)?.memory.updated_at === updatedAt?.get(id);
      const removed = [...new Set(ids)].filter(id => rows.has(id) && (!updatedAt || isSame(id)));
      for (const id of removed) remove(id);
      return removed;
    },
    supersede: async ({ record, supersededId, change, relation }) => {
      const row = rows.get(supersededId);
      if (!row) return undefined;
      outcomesOf([record]);
      const made = change(row.memory);
      const [outcome] = save([record]);
      applyChange(row, made);
      saveEdge(relation);
      return outcome;
    },
    annotate: async annotations => {
      for (const { id, relevance, maybeOutdatedBy, lastAccessed } of annotations) {
        const row = rows.get(id);
        if (!row) continue;
        const { relevance_score, maybe_outdated_by, ...others } = row.memory;
        const score = relevance === undefined ? relevance_score : (relevance ?? undefined);
        const outdated = maybeOutdatedBy === undefined ? maybe_outdated_by : (maybeOutdatedBy ?? undefined);
        const isLater = lastAccessed !== undefined && lastAccessed > others.last_accessed;
        row.memory = frozenMemory({
          ...others,
          ...(isLater && { last_accessed: lastAccessed }),
          ...(score !== undefined && { relevance_score: score }),
          ...(outdated !== undefined && { maybe_outdated_by: outdated }),
        });
      }
    },
    readRecords: async request =>
      page([...rows.values()], ({ memory }) => memory.id, request).map(({ memory, embedding, work }) => ({
        memory,
        ...(embedding && { embedding }),
        work: WORK_KINDS.filter(kind => work.has(kind)),
      })),
    countMemories: async which => {
      if (!which) return rows.size;
      if ('tagKeys' in which) return passing({ tags: { keys: which.tagKeys, mode: 'any', match: 'exact' } }).length;
      const { embeddedBy } = which;
      return memories().filter(
        ({ embedded_by: model }) => model !== undefined && (embeddedBy === 'any' || embeddedBy.includes(model)),
      ).length;
    },
    list: async request => listed(request).map(idOfMemory),
    searchText: async request => searchText(request),
    neighbours: async ({ ids, ...request }) =>
      [...(await getMemories(ids)).values()].flatMap(memory => neighboursOf(memory, request)),
    saveRelations: async relations => relations.map(saveEdge),
    removeRelations: async keys => {
      for (const key of keys) edges.delete(keyOfEdge(key));
    },
    countRelations: async ids => {
      const isOf = (id: string) => (edge: Relation) => edge.from !== edge.to && (edge.from === id || edge.to === id);
      return new Map(ids.map(id => [id, [...edges.values()].filter(isOf(id)).length]));
    },
    relationsOf,
    relationsWithEnds: async request => {
      const relations = await relationsOf(request);
      const ends = [...relations].flatMap(([id, all]) => all.map(({ from, to }) => (from === id ? to : from)));
      return {
        relations,
        ends: await getMemories(ends),
        memories: await getMemories(request.isWithMemories ? request.ids : []),
      };
    },
    saveNode: async (node, memberIds) => {
      saveNode(node);
      if (!memberIds) return;
      for (const [key, link] of links) if (link.kind === node.kind && link.nodeId === node.id) links.delete(key);
      const common = {
        kind: node.kind as NodeLink['kind'],
        nodeId: node.id,
        confidence: 1,
        updated_at: node.updated_at,
      };
      for (const memoryId of memberIds) linkNode({ ...common, memoryId });
    },
    getNode: async (kind, id) => structuredClone(nodes.get(keyOfNode(kind, id))),
    listNodes: async (kind, limit) =>
      nodesOf(kind).sort(byKeys<AuxiliaryNode>(lastChangedFirst, idOfMemory)).slice(0, limit),
    readNodes: async (kind, request) => page(nodesOf(kind), idOfMemory, request),
    countNodes: async (kind, state) =>
      nodesOf(kind).filter(({ properties }) => state === undefined || properties.state === state).length,
    deleteNodes: async (kind, ids) => {
      for (const id of ids) nodes.delete(keyOfNode(kind, id));
      for (const [key, link] of links) if (link.kind === kind && ids.includes(link.nodeId)) links.delete(key);
    },
    linkNode: async link => linkNode(link),
    linksOf: async ids => [...links.values()].filter(({ memoryId }) => ids.includes(memoryId)),
    countNodeLinks: async (kind, id, { exceptId, max }) => {
      const isCounted = (link: NodeLink) => link.kind === kind && link.nodeId === id && link.memoryId !== exceptId;
      return Math.min(max, [...links.values()].filter(isCounted).length);
    },
    countTypes: async () => {
      const counts = new Map<string, TypeCount>();
      for (const { type, confidence } of memories()) {
        const { count, confidenceSum } = counts.get(type) ?? { count: 0, confidenceSum: 0 };
        counts.set(type, { type, count: count + 1, confidenceSum: confidenceSum + confidence });
      }
      return [...counts.values()];
    },
    surestPatterns: async ({ aboveConfidence, limit }) =>
      nodesOf('Pattern')
        .filter(({ properties: { confidence, type, content } }) => {
          const isSure = typeof confidence === 'number' && confidence > aboveConfidence && confidence <= 1;
          return isSure && typeof type === 'string' && typeof content === 'string';
        })
        .sort(
          byKeys<AuxiliaryNode>(
            each => -Number(each.properties.confidence),
            each => -Number(each.properties.observations ?? -1),
            idOfMemory,
          ),
        )
        .slice(0, limit),
    importantOfTypes: async ({ types, leastImportance, limit }) =>
      memories()
        .filter(({ type, importance }) => types.includes(type) && importance >= leastImportance)
        .sort(ORDERS.importance)
        .slice(0, limit)
        .map(idOfMemory),
    strongestPreferences: async limit =>
      [...edges.values()]
        .filter(({ type }) => type === 'PREFERS_OVER')
        .sort(bestFirst)
        .slice(0, limit),
    takeLease: async ({ name, holder, nowMs, untilMs }) => {
      const current = leases.get(name);
      const leftMs = (current?.untilMs ?? nowMs) - nowMs;
      if (current && current.holder !== holder && leftMs > 0 && leftMs <= WAIT_HORIZON_MS) return false;
      leases.set(name, { holder, untilMs });
      return true;
    },
    reclaim: async () => {},
    ...queue,
    completeWork: async (token, { change, edges: replaced, patterns }) =>
      forEachClaim([token], (row, kind) => {
        const memory = change(row.memory);
        settle(row, kind);
        rewrite(row, memory);
        const isReplaced = ({ from, type }: Relation) => from === memory.id && replaced?.types.includes(type);
        for (const [key, edge] of edges) if (isReplaced(edge)) edges.delete(key);
        for (const edge of replaced?.relations ?? []) saveEdge(edge);
        for (const [key, link] of links) {
          if (patterns && link.memoryId === memory.id && link.kind === 'Pattern') links.delete(key);
        }
        for (const node of patterns?.nodes ?? []) saveNode(node);
        for (const link of patterns?.links ?? []) linkNode(link);
        return true;
      }).length > 0,
    vectorStates: async request =>
      page([...rows.values()], ({ memory }) => memory.id, request).map(({ memory: { id, embedded_by }, work }) => ({
        id,
        ...(embedded_by !== undefined && { embeddedBy: embedded_by }),
        isPending: typeof work.get('embed')?.dueMs === 'number',
        hasFailed: work.get('embed')?.dueMs === null,
      })),
    staleVectors: async limit => [...stale].slice(0, limit).map(([id, note]) => ({ id, token: String(note) })),
    settleStaleVectors: async tokens => {
      for (const [id, note] of stale) if (tokens.includes(String(note))) stale.delete(id);
    },
    countOutdatedWords: async () => ({ outdatedCount: 0, hasNewer: false }),
    rewriteOutdatedWords: async () => ({ rewrittenCount: 0 }),
    ping: async () => {},
    close: async () => {},
  };
}
