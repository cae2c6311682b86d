/**
 * Keeps facts about the memory file in a small file beside it: the identity, the revision and the number of memories.
 * Without these facts, a memory file that was removed, emptied or replaced by an older file would look intact.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { plural } from '../../domain/shown-text.js';
import { type Clock, toIso } from '../../domain/time.js';
import type { Connection } from '../database/connection.js';
import type { MemoryDatabase } from './memory-database.js';
import { countMemories } from './tags.js';

const FILE_NAME = 'last-known.json';

interface Facts {
  id: string;
  revision: number;
  memories: number;
  /** Time at which the facts were read, in ISO 8601. */
  at?: string;
}

/** Gives a new file its identity. */
export function insertFacts(connection: Connection): void {
  connection.run('INSERT INTO facts (id, revision) VALUES (?, 0)', randomUUID());
}

/** Counts a change. Must be called in every durable transaction that adds, edits or deletes memories. */
export function countChange(connection: MemoryDatabase): void {
  const { lastKnown } = connection;
  connection.run('UPDATE facts SET revision = revision + 1');
  if (lastKnown) connection.afterCommit(lastKnown.note);
}

/** Describes the missing memories or changes in a sentence; undefined when nothing is missing. */
export function findLoss(connection: Connection, dataDir: string): string | undefined {
  const known = readLastKnown(dataDir);
  if (!known) return undefined;
  const present = factsOf(connection);
  const last = known.at === undefined ? 'when it was last used' : `at ${known.at}`;
  if (known.id !== present.id) {
    if (known.memories === 0) return undefined;
    return `the folder held ${known.memories} memories ${last}, but memories.db, with its log memories.db-wal, is now another file with ${plural(present.memories, 'memory')}`;
  }
  if (present.revision >= known.revision) return undefined;
  const changes = known.revision - present.revision;
  return `memories.db is older than it was ${last}: at least ${plural(changes, 'acknowledged change')} ${changes === 1 ? 'is' : 'are'} missing. Either its log memories.db-wal was cut short or removed, or memories.db was replaced by an older file`;
}

/** Whether the folder held memories when its facts were written. */
export function hadMemories(dataDir: string): boolean {
  return (readLastKnown(dataDir)?.memories ?? 0) > 0;
}

/** The identity of a file; undefined if the file does not have one. */
export function idOf(connection: Connection): string | undefined {
  if (!connection.get("SELECT 1 FROM sqlite_schema WHERE name = 'facts'")) return undefined;
  return connection.get<{ id: string }>('SELECT id FROM facts')?.id;
}

export interface LossWatch {
  clock: Pick<Clock, 'schedule' | 'nowMs'>;
  /** Whether to accept the present file even if data is missing. */
  acceptsLoss: boolean;
  /** Called with a description of the missing data, before any memory is changed. */
  onLoss(loss: string): void;
  /** Called when the facts could not be written. They are written again after the next change of a memory. */
  onFailure(error: unknown): void;
}

export interface LastKnown {
  /** Reports that memories changed. The facts about the memory file are written within the same second. */
  note(): void;
  /** Writes the facts a last time. */
  finish(): Promise<void>;
}

/**
 * Time between a change and the writing of the facts. If only changes from this time are lost, the loss is not noticed,
 * because the written facts do not cover these changes yet.
 */
const DELAY_MS = 500;

/** Writes the facts at once, and again after changes. */
export function keepLastKnown(
  connection: Connection,
  dataDir: string,
  { clock, onFailure }: Pick<LossWatch, 'clock' | 'onFailure'>,
): LastKnown {
  let cancel: (() => void) | undefined;
  let writing = Promise.resolve();
  const write = () => {
    cancel?.();
    cancel = undefined;
    const at = toIso(clock.nowMs());
    writing = writing.then(() => writeFacts({ ...factsOf(connection), at }, dataDir)).catch(onFailure);
    return writing;
  };
  void write();
  return {
    note: () => {
      cancel ??= clock.schedule(DELAY_MS, () => void write());
    },
    finish: write,
  };
}

/** Writes the file atomically, so that a loss of power during the write leaves the previous file unchanged. */
async function writeFacts(facts: Facts, dataDir: string): Promise<void> {
  const path = join(dataDir, FILE_NAME);
  const file = await open(`${path}.new`, 'w', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(facts)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
}

function factsOf(connection: Connection): Facts {
  const facts = connection.get<Omit<Facts, 'memories'>>('SELECT id, revision FROM facts');
  return { id: facts?.id ?? '', revision: facts?.revision ?? 0, memories: countMemories(connection) };
}

function readLastKnown(dataDir: string): Facts | undefined {
  try {
    const known = JSON.parse(readFileSync(join(dataDir, FILE_NAME), 'utf8')) as Partial<Facts>;
    const { id, revision, memories, at } = known;
    if (typeof id !== 'string' || typeof revision !== 'number' || typeof memories !== 'number') return undefined;
    return { id, revision, memories, ...(typeof at === 'string' && { at }) };
  } catch {
    return undefined;
  }
}
