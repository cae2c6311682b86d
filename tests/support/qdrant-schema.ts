/**
 * The requests in Qdrant's documented schema (OpenAPI, 1.18) that the stand-in serves. The stand-in is stricter
 * than the server in one way: it refuses unknown names, so that misspellings are found.
 */
import { z } from 'zod';

const unsigned = z.int().min(0);
const positive = z.int().min(1);

export const pointId = z.union([unsigned, z.guid()]);
export type PointId = z.infer<typeof pointId>;

const value = z.union([z.string(), z.int(), z.boolean()]);
const list = z.union([z.array(z.string()), z.array(z.int())]);
const match = z.union([z.strictObject({ value }), z.strictObject({ any: list }), z.strictObject({ except: list })]);
const bound = z.number().nullish();
const range = z.strictObject({ lt: bound, gt: bound, gte: bound, lte: bound });

const fieldCondition = z
  .strictObject({
    key: z.string().min(1),
    match: match.nullish(),
    range: range.nullish(),
    is_empty: z.boolean().nullish(),
    is_null: z.boolean().nullish(),
  })
  .refine(({ key: _, ...tests }) => Object.values(tests).some(test => test != null), 'a field condition tests nothing');
export type FieldCondition = z.infer<typeof fieldCondition>;

const payloadField = z.strictObject({ key: z.string().min(1) });

export type Condition =
  | FieldCondition
  | { is_empty: { key: string } }
  | { is_null: { key: string } }
  | { has_id: PointId[] }
  | Filter;

export interface Filter {
  must?: Condition | Condition[] | null | undefined;
  should?: Condition | Condition[] | null | undefined;
  must_not?: Condition | Condition[] | null | undefined;
  min_should?: { conditions: Condition[]; min_count: number } | null | undefined;
}

const condition: z.ZodType<Condition> = z.lazy(() =>
  z.union([
    fieldCondition,
    z.strictObject({ is_empty: payloadField }),
    z.strictObject({ is_null: payloadField }),
    z.strictObject({ has_id: z.array(pointId) }),
    filter,
  ]),
);
const conditions = z.union([condition, z.array(condition)]).nullish();
export const filter: z.ZodType<Filter> = z.strictObject({
  must: conditions,
  should: conditions,
  must_not: conditions,
  min_should: z.strictObject({ conditions: z.array(condition), min_count: positive }).nullish(),
});

const payload = z.record(z.string(), z.json());
export type Payload = z.infer<typeof payload>;
const vector = z.array(z.number()).min(1);
const withPayload = z.union([z.boolean(), z.array(z.string())]).nullish();
const withVector = z.boolean().nullish();

const hnswConfig = z.strictObject({
  m: unsigned.nullish(),
  ef_construct: z.int().min(4).nullish(),
  full_scan_threshold: z.int().min(10).nullish(),
  max_indexing_threads: unsigned.nullish(),
  on_disk: z.boolean().nullish(),
  payload_m: unsigned.nullish(),
  inline_storage: z.boolean().nullish(),
});

const vectorParams = z.strictObject({
  size: z.int().min(1).max(65_536),
  distance: z.enum(['Cosine', 'Euclid', 'Dot', 'Manhattan']),
  hnsw_config: hnswConfig.nullish(),
  on_disk: z.boolean().nullish(),
  datatype: z.enum(['float32', 'uint8', 'float16']).nullish(),
});
export type VectorParams = z.infer<typeof vectorParams>;

export const newCollection = z.strictObject({
  vectors: z.union([vectorParams, z.record(z.string(), vectorParams)]).optional(),
  shard_number: positive.nullish(),
  sharding_method: z.enum(['auto', 'custom']).nullish(),
  replication_factor: positive.nullish(),
  write_consistency_factor: positive.nullish(),
  on_disk_payload: z.boolean().nullish(),
  hnsw_config: hnswConfig.nullish(),
});
export type NewCollection = z.infer<typeof newCollection>;

const keywordIndex = z.strictObject({
  type: z.literal('keyword'),
  is_tenant: z.boolean().nullish(),
  on_disk: z.boolean().nullish(),
  enable_hnsw: z.boolean().nullish(),
});
const integerIndex = z.strictObject({
  type: z.literal('integer'),
  lookup: z.boolean().nullish(),
  range: z.boolean().nullish(),
  is_principal: z.boolean().nullish(),
  on_disk: z.boolean().nullish(),
  enable_hnsw: z.boolean().nullish(),
});
export const newIndex = z.strictObject({
  field_name: z.string().min(1),
  field_schema: z.union([z.enum(['keyword', 'integer', 'float', 'bool']), keywordIndex, integerIndex]),
});
export type IndexSchema = z.infer<typeof newIndex>['field_schema'];

const point = z.strictObject({ id: pointId, vector, payload: payload.nullish() });
export type Point = z.infer<typeof point>;
export const newPoints = z.strictObject({ points: z.array(point).min(1) });

/** Selects points by ids or by a filter. One of the two is required. */
export const pointsSelector = z.union([z.strictObject({ points: z.array(pointId) }), z.strictObject({ filter })]);
export type PointsSelector = z.infer<typeof pointsSelector>;

export const newPayload = z
  .strictObject({
    payload,
    points: z.array(pointId).nullish(),
    filter: filter.nullish(),
    key: z.string().nullish(),
  })
  .refine(
    ({ points, filter: by }) => points != null || by != null,
    'Either list of point ids or filter must be provided',
  );
export type NewPayload = z.infer<typeof newPayload>;

const goneKeys = z.strictObject({ keys: z.array(z.string()), filter });
export type GoneKeys = z.infer<typeof goneKeys>;

const operation = z.union([
  z.strictObject({ upsert: newPoints }),
  z.strictObject({
    update_vectors: z.strictObject({ points: z.array(z.strictObject({ id: pointId, vector })).min(1) }),
  }),
  z.strictObject({ delete: pointsSelector }),
  z.strictObject({ set_payload: newPayload }),
  z.strictObject({ overwrite_payload: newPayload }),
  z.strictObject({ delete_payload: goneKeys }),
]);
export type Operation = z.infer<typeof operation>;
export const operations = z.strictObject({ operations: z.array(operation) });

export const pointRequest = z.strictObject({
  ids: z.array(pointId),
  with_payload: withPayload,
  with_vector: withVector,
});

export const queryRequest = z.strictObject({
  query: vector,
  filter: filter.nullish(),
  params: z
    .strictObject({
      hnsw_ef: unsigned.nullish(),
      quantization: z.strictObject({ rescore: z.boolean().nullish() }).nullish(),
      exact: z.boolean().optional(),
      indexed_only: z.boolean().optional(),
    })
    .nullish(),
  score_threshold: z.number().nullish(),
  limit: positive.nullish(),
  offset: unsigned.nullish(),
  with_payload: withPayload,
  with_vector: withVector,
});
export type QueryRequest = z.infer<typeof queryRequest>;

export const queryRequestBatch = z.strictObject({ searches: z.array(queryRequest) });

export const scrollRequest = z.strictObject({
  offset: pointId.nullish(),
  limit: positive.nullish(),
  filter: filter.nullish(),
  with_payload: withPayload,
  with_vector: withVector,
});
export type ScrollRequest = z.infer<typeof scrollRequest>;

export const countRequest = z.strictObject({ filter: filter.nullish(), exact: z.boolean().optional() });

/** A boolean in a query string, which arrives as text. */
const flag = z.enum(['true', 'false']).optional();
const seconds = z.stringFormat('seconds', /^[1-9]\d*$/).optional();
export const noParameters = z.strictObject({});
export const collectionParameters = z.strictObject({ timeout: seconds });
export const readParameters = z.strictObject({
  consistency: z.union([z.enum(['majority', 'quorum', 'all']), z.stringFormat('count', /^\d+$/)]).optional(),
  timeout: seconds,
});
export const writeParameters = z.strictObject({
  wait: flag,
  ordering: z.enum(['weak', 'medium', 'strong']).optional(),
  timeout: seconds,
});
