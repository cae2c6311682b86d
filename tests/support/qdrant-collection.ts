/** A collection of the stand-in for Qdrant: its points, with updates and queries. */
import { fieldConditionsOf, passes } from './qdrant-filter.js';
import type {
  Filter,
  GoneKeys,
  IndexSchema,
  NewCollection,
  NewPayload,
  Operation,
  Payload,
  Point,
  PointId,
  PointsSelector,
  QueryRequest,
  ScrollRequest,
  VectorParams,
} from './qdrant-schema.js';

interface StoredPoint {
  id: PointId;
  vector: Float32Array;
  payload: Payload;
}

/** An error that the stand-in sends as its answer. */
export class Refusal extends Error {
  readonly status: number;
  constructor(status: number, reason: string) {
    super(reason);
    this.status = status;
  }
}

export interface StandInCollection {
  /** The parameters of the collection at its creation. */
  readonly config: NewCollection;
  readonly points: Map<PointId, StoredPoint>;
  readonly indexes: Map<string, Exclude<IndexSchema, string>>;
  /** Points that the search graph does not reach: only an exact search compares them. */
  readonly unlinked: Set<PointId>;
}

export function createStandInCollection(config: NewCollection): StandInCollection {
  return { config, points: new Map(), indexes: new Map(), unlinked: new Set() };
}

export function infoOf({ config, points, indexes }: StandInCollection) {
  const { vectors, hnsw_config, ...params } = config;
  return {
    status: 'green',
    optimizer_status: 'ok',
    indexed_vectors_count: 0,
    points_count: points.size,
    segments_count: 1,
    config: {
      params: { vectors, shard_number: 1, replication_factor: 1, ...params },
      hnsw_config,
      optimizer_config: {},
    },
    payload_schema: Object.fromEntries(
      [...indexes].map(([name, schema]) => [name, { data_type: schema.type, params: schema, points: points.size }]),
    ),
  };
}

export function createIndex(collection: StandInCollection, field: string, schema: IndexSchema): void {
  collection.indexes.set(field, (typeof schema === 'string' ? { type: schema } : schema) as never);
}

export function upsert(collection: StandInCollection, points: readonly Point[]): void {
  for (const { vector } of points) assertSize(collection, vector);
  for (const { id, vector, payload } of points) {
    collection.points.set(id, { id, vector: unitVector(vector), payload: payload ?? {} });
  }
}

/** Refuses the whole update when a point is missing. */
function updateVectors(collection: StandInCollection, points: readonly Pick<Point, 'id' | 'vector'>[]): void {
  const known = points.map(({ id, vector }) => {
    assertSize(collection, vector);
    const point = collection.points.get(id);
    if (!point) throw new Refusal(404, `Not found: No point with id ${id} found`);
    return { point, vector };
  });
  for (const { point, vector } of known) point.vector = unitVector(vector);
}

export function remove(collection: StandInCollection, selector: PointsSelector): void {
  const ids = 'points' in selector ? selector.points : selected(collection, selector.filter).map(({ id }) => id);
  for (const id of ids) collection.points.delete(id);
}

export function changePayload(collection: StandInCollection, change: NewPayload, isWhole: boolean): void {
  const { payload, points, filter } = change;
  const targets = points
    ? points.map(id => {
        const point = collection.points.get(id);
        if (!point) throw new Refusal(404, `Not found: No point with id ${id} found`);
        return point;
      })
    : selected(collection, filter);
  for (const point of targets) point.payload = isWhole ? { ...payload } : { ...point.payload, ...payload };
}

function removeKeys(collection: StandInCollection, { keys, filter }: GoneKeys): void {
  for (const point of selected(collection, filter)) for (const key of keys) delete point.payload[key];
}

/** Applies operations in order. A failing operation ends the request, and earlier operations stay applied. */
export function apply(collection: StandInCollection, operations: readonly Operation[]): void {
  for (const operation of operations) {
    if ('upsert' in operation) upsert(collection, operation.upsert.points);
    else if ('update_vectors' in operation) updateVectors(collection, operation.update_vectors.points);
    else if ('delete' in operation) remove(collection, operation.delete);
    else if ('set_payload' in operation) changePayload(collection, operation.set_payload, false);
    else if ('delete_payload' in operation) removeKeys(collection, operation.delete_payload);
    else changePayload(collection, operation.overwrite_payload, true);
  }
}

type Shown = Pick<QueryRequest, 'with_payload' | 'with_vector'>;

export function retrieve(collection: StandInCollection, ids: readonly PointId[], shown: Shown) {
  return ids.flatMap(id => {
    const point = collection.points.get(id);
    return point ? [shownOf(point, shown)] : [];
  });
}

export function query(collection: StandInCollection, request: QueryRequest) {
  const { query: wanted, filter, params, score_threshold, limit, offset } = request;
  assertSize(collection, wanted);
  const unit = unitVector(wanted);
  const used = [...unit.keys()].filter(index => unit[index] !== 0);
  const scored = selected(collection, filter)
    .filter(({ id }) => params?.exact === true || !collection.unlinked.has(id))
    .map(point => ({ point, score: similarity(unit, point.vector, used) }))
    .filter(({ score }) => score_threshold == null || score >= score_threshold)
    .sort((a, b) => b.score - a.score)
    .slice(offset ?? 0, (offset ?? 0) + (limit ?? 10));
  return { points: scored.map(({ point, score }) => ({ ...shownOf(point, request), version: 1, score })) };
}

export function scroll(collection: StandInCollection, request: ScrollRequest) {
  const { offset, limit, filter } = request;
  const sorted = selected(collection, filter).sort((a, b) => compareIds(a.id, b.id));
  const rest = offset == null ? sorted : sorted.filter(({ id }) => compareIds(id, offset) >= 0);
  const size = limit ?? 10;
  return {
    points: rest.slice(0, size).map(point => shownOf(point, request)),
    next_page_offset: rest[size]?.id ?? null,
  };
}

export function count(collection: StandInCollection, filter: Filter | null | undefined) {
  return { count: selected(collection, filter).length };
}

function selected(collection: StandInCollection, filter: Filter | null | undefined): StoredPoint[] {
  const points = [...collection.points.values()];
  if (!filter) return points;
  assertIndexed(collection, filter);
  return points.filter(point => passes(point, filter));
}

/** Refuses to filter by a field without an index of the right kind, as a server in strict mode does. */
function assertIndexed({ indexes }: StandInCollection, filter: Filter): void {
  for (const { key, match, range } of fieldConditionsOf(filter)) {
    const index = indexes.get(key);
    const isFit =
      (!match || index?.type === 'keyword') && (!range || (index?.type === 'integer' && index.range !== false));
    if (!index || !isFit) throw new Refusal(400, `Bad request: Index required but not found for "${key}"`);
  }
}

function assertSize({ config }: StandInCollection, vector: readonly number[]): void {
  const { size } = config.vectors as VectorParams;
  if (vector.length !== size) {
    throw new Refusal(400, `Wrong input: Vector dimension error: expected dim: ${size}, got ${vector.length}`);
  }
}

function shownOf({ id, payload, vector }: StoredPoint, { with_payload, with_vector }: Shown) {
  const fields = Array.isArray(with_payload) ? with_payload : undefined;
  const kept = fields ? Object.fromEntries(Object.entries(payload).filter(([name]) => fields.includes(name))) : payload;
  return { id, ...(with_payload && { payload: kept }), ...(with_vector && { vector: [...vector] }) };
}

/** Numbers precede UUIDs. */
function compareIds(a: PointId, b: PointId): number {
  if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Calculates only in single precision, as the server does. A vector whose squares overflow therefore becomes zero, and
 * a very short vector stays unnormalised.
 */
function unitVector(values: readonly number[]): Float32Array {
  const vector = Float32Array.from(values);
  let squares = 0;
  for (const value of vector) squares = Math.fround(squares + Math.fround(value * value));
  if (squares < 1.2e-7) return vector;
  const length = Math.fround(Math.sqrt(squares));
  return vector.map(value => value / length);
}

/** @param used the indexes at which `a` is not zero: hash vectors have few, and benchmarks search thousands of points */
function similarity(a: Float32Array, b: Float32Array, used: readonly number[]): number {
  let sum = 0;
  for (const index of used) sum = Math.fround(sum + Math.fround((a[index] ?? 0) * (b[index] ?? 0)));
  return sum;
}
