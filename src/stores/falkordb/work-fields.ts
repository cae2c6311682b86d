/** Names the properties of a `Memory` that store its pending work, by kind of work. */
import type { WorkKind } from '../ports/work-queue.js';
import { type Connection, NODES_MAX } from './connection.js';
import { NONE, type Parameters } from './values.js';

/**
 * Due time of work that is due at once: earlier than the time of any injected clock. Not 0, which an index may lose
 * (`indexed`).
 */
export const DUE_NOW_MS = 1;
/**
 * Due time of enrichment that is half done: the part that needs no vector is done, and the other part waits for the
 * vector. The value is later than the time of any clock.
 */
export const HALF_DONE_MS = 7e15;
/** Due time of enrichment that waits until the memory is embedded. */
export const HELD_MS = 8e15;
/** Due time for a kind of work that is never due, because none is queued or because the work has failed for good. */
export const NEVER_MS = 9e15;
export const NO_WORK = 'none';
/** The Cypher text that represents an absent token or error. */
export const NO_TEXT = `'${NONE}'`;

/** The names of the properties for one kind of work. The comments below describe the values of these properties. */
export interface WorkFields {
  kind: WorkKind;
  /** `none`, `pending`, `claimed` or `failed` (for good). */
  state: string;
  /** The time at which the work is due. If the work is claimed, this is the time at which the lease ends. */
  due: string;
  /** The token of the current claim. */
  token: string;
  attempts: string;
  error: string;
}

/**
 * Property names cannot be parameters of a statement, so they are inserted into its text. Only names from this table
 * are inserted.
 */
const FIELDS: Record<WorkKind, WorkFields> = { embed: fieldsOf('embed'), enrich: fieldsOf('enrich') };
export const WORK_FIELDS: readonly WorkFields[] = Object.values(FIELDS);

export function workFields(kind: WorkKind): WorkFields {
  const fields = FIELDS[kind];
  if (!fields) throw new Error('Unknown kind of work');
  return fields;
}

function fieldsOf(kind: WorkKind): WorkFields {
  return {
    kind,
    state: `_${kind}_state`,
    due: `_${kind}_due_ms`,
    token: `_${kind}_token`,
    attempts: `_${kind}_attempts`,
    error: `_${kind}_error`,
  };
}

/**
 * Returns the assignments for a `SET`. Two `SET` clauses for one property need a `WITH` between them. Otherwise the
 * server joins the clauses, sets the property twice at once, and corrupts its own memory (FalkorDB issue 1885).
 */
export function assignments(alias: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([field, expression]) => `${alias}.${field} = ${expression}`)
    .join(', ');
}

/** Returns the assignments that remove work of the kind, together with its claim, attempts and error. */
function cleared({ state, due, token, attempts, error }: WorkFields): Record<string, string> {
  return { [state]: `'${NO_WORK}'`, [due]: `${NEVER_MS}`, [token]: NO_TEXT, [attempts]: '0', [error]: NO_TEXT };
}

/**
 * Returns the assignments that make enrichment due after embedding has ended. Enrichment that is already claimed starts
 * over, because it has not seen the vector.
 */
export function freeEnrichment(alias: string): Record<string, string> {
  const { due, state, token } = FIELDS.enrich;
  const of = (field: string) => `${alias}.${field}`;
  const isClaimed = `${of(token)} <> ${NO_TEXT}`;
  const isFreed = `${of(due)} = ${HELD_MS} OR ${of(due)} = ${HALF_DONE_MS} OR ${isClaimed}`;
  return {
    [due]: `CASE WHEN ${isFreed} THEN ${DUE_NOW_MS} ELSE ${of(due)} END`,
    [state]: `CASE WHEN ${isClaimed} THEN 'pending' ELSE ${of(state)} END`,
    [token]: NO_TEXT,
  };
}

/**
 * Returns the assignments that mark work of the kind as done. Enrichment that ends while the embedding is still due
 * counts as half done and stays pending.
 */
export function settled(alias: string, fields: WorkFields): Record<string, string> {
  const ended = cleared(fields);
  if (fields.kind === 'embed') return { ...ended, ...freeEnrichment(alias) };
  const { state, due } = fields;
  const isHalf = `${alias}.${FIELDS.embed.due} < ${NEVER_MS}`;
  return {
    ...ended,
    [state]: `CASE WHEN ${isHalf} THEN 'pending' ELSE ${ended[state]} END`,
    [due]: `CASE WHEN ${isHalf} THEN ${HALF_DONE_MS} ELSE ${ended[due]} END`,
  };
}

/**
 * Returns clauses that queue work of a memory again from the first attempt (parameters `embed_again`, `enrich_again`).
 * If `restart_claimed` is true, the clauses also restart work in flight. While embedding is pending, enrichment
 * waits.
 */
export function requeueClauses(alias: string): string {
  const { embed, enrich } = FIELDS;
  const of = (field: string) => `${alias}.${field}`;
  const claimed = ({ token }: WorkFields) => `($restart_claimed AND ${of(token)} <> ${NO_TEXT})`;
  const unless = (condition: string, then: string, field: string) =>
    `CASE WHEN ${condition} THEN ${then} ELSE ${of(field)} END`;
  return `
    WITH *, ($embed_again OR ${claimed(embed)}) AS embed_over, ($enrich_again OR ${claimed(enrich)}) AS enrich_over
    WITH *, ((embed_over OR ${of(embed.due)} < ${NEVER_MS}) AND (enrich_over OR (${of(enrich.due)} < ${NEVER_MS} AND ${of(enrich.due)} <> ${HALF_DONE_MS}))) AS is_held
    SET ${assignments(alias, {
      [embed.state]: unless('embed_over', "'pending'", embed.state),
      [embed.due]: unless('embed_over', `${DUE_NOW_MS}`, embed.due),
      [embed.token]: unless('embed_over', NO_TEXT, embed.token),
      [embed.attempts]: unless('$embed_again', '0', embed.attempts),
      [embed.error]: unless('$embed_again', NO_TEXT, embed.error),
      [enrich.state]: unless('enrich_over OR is_held', "'pending'", enrich.state),
      [enrich.due]: `CASE WHEN is_held THEN ${HELD_MS} WHEN enrich_over THEN ${DUE_NOW_MS} ELSE ${of(enrich.due)} END`,
      [enrich.token]: unless('enrich_over OR is_held', NO_TEXT, enrich.token),
      [enrich.attempts]: unless('$enrich_again', '0', enrich.attempts),
      [enrich.error]: unless('$enrich_again', NO_TEXT, enrich.error),
    })}`;
}

/** Parameters of `requeueClauses`. */
export function requeueParameters(again: readonly WorkKind[], restartClaimed: boolean) {
  return {
    embed_again: again.includes('embed'),
    enrich_again: again.includes('enrich'),
    restart_claimed: restartClaimed,
  };
}

/**
 * Queues again the work of all memories that `match` finds as `m`, until `match` finds no more.
 *
 * @returns the number of memories
 */
export async function requeueAll(connection: Connection, match: string, parameters: Parameters): Promise<number> {
  const statement = `${match} WITH m LIMIT ${NODES_MAX} ${requeueClauses('m')} RETURN count(m) AS count`;
  for (let total = 0; ; ) {
    const [row] = await connection.write<{ count: number }>(statement, parameters);
    total += row?.count ?? 0;
    if ((row?.count ?? 0) < NODES_MAX) return total;
  }
}

/** Returns the properties for the work of a new memory. */
export function newWork(kinds: readonly WorkKind[]): Record<string, string | number> {
  const isHeld = kinds.includes('embed') && kinds.includes('enrich');
  return Object.fromEntries(
    WORK_FIELDS.flatMap(({ kind, state, due, token, attempts, error }) => {
      const isWanted = kinds.includes(kind);
      const dueMs = kind === 'enrich' && isHeld ? HELD_MS : DUE_NOW_MS;
      return [
        [state, isWanted ? 'pending' : NO_WORK],
        [due, isWanted ? dueMs : NEVER_MS],
        [token, NONE],
        [attempts, 0],
        [error, NONE],
      ];
    }),
  );
}
