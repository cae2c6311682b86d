/**
 * Stores ids and tags of recently shown memories, which completion offers. Completion sends no recall, because each
 * typed letter would then count as an access to every memory found.
 */
import { visible } from '../domain/visible-text.js';

/** The maximum number of values that the protocol allows in one answer. */
const COMPLETIONS_MAX = 100;
const KEPT_MAX = 500;

interface Shown {
  id: string;
  tags: readonly string[];
}

export class RecentlyShown {
  /** Newest last. */
  readonly #ids = new Set<string>();
  readonly #tags = new Set<string>();

  note(memories: readonly Shown[]): void {
    for (const { id, tags } of memories) {
      keep(this.#ids, id);
      for (const tag of tags) keep(this.#tags, tag);
    }
  }

  /** Newest first. */
  idsFrom(beginning: string): string[] {
    return matching(this.#ids, beginning);
  }

  /** For a comma-separated list, completes the last tag. */
  tagsFrom(list: string): string[] {
    const before = list.slice(0, list.lastIndexOf(',') + 1);
    return matching(this.#tags, list.slice(before.length).trimStart()).map(tag => `${before}${tag}`);
  }
}

function keep(values: Set<string>, value: string): void {
  // Skip values with invisible characters, because a person cannot see what they choose.
  if (visible(value) !== value) return;
  values.delete(value);
  values.add(value);
  if (values.size > KEPT_MAX) for (const oldest of [...values].slice(0, 1)) values.delete(oldest);
}

function matching(values: ReadonlySet<string>, beginning: string): string[] {
  const wanted = beginning.toLowerCase();
  return [...values]
    .reverse()
    .filter(value => value.toLowerCase().startsWith(wanted))
    .slice(0, COMPLETIONS_MAX);
}
