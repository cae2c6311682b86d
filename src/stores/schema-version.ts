/** Decides whether stored data can be used, and converts data of older releases, of which there are none yet. */
import { MemoryError } from '../domain/errors.js';

export interface Schema<Target> {
  /** What has the version, to begin a sentence: 'The memory file'. */
  name: string;
  version: number;
  /** The last step leads to `version`. A released step never changes. */
  steps: readonly ((target: Target) => void)[];
  /** The other place that its reader may choose instead: 'set FALKORDB_GRAPH to another graph'. */
  elsewhere: string;
}

/** @throws MemoryError `unavailable` if a newer Engraph, or one before the first release, wrote the data */
export function assertUsable(stored: number, { name, version, steps, elsewhere }: Schema<never>): void {
  if (stored > version) {
    throw new MemoryError(
      'unavailable',
      `${name} has schema version ${stored}, but this Engraph knows only up to ${version}. Nothing was changed`,
      { hint: `Update Engraph, or ${elsewhere}.` },
    );
  }
  if (stored < version - steps.length) {
    throw new MemoryError(
      'unavailable',
      `${name} has schema version ${stored}, from before the first release of Engraph. Nothing was changed`,
      { hint: `Export the memory with the build that wrote it, and import the file here, or ${elsewhere}.` },
    );
  }
}

/**
 * Runs the steps that lead from the stored version to the current one.
 *
 * @throws MemoryError as `assertUsable` does, before the first step
 */
export function migrate<Target>(target: Target, stored: number, schema: Schema<Target>): void {
  assertUsable(stored, schema);
  const oldest = schema.version - schema.steps.length;
  for (const step of schema.steps.slice(stored - oldest)) step(target);
}
