/** Finds the seeded memories in a request to the model. */
import { MEMORIES, type MemoryKind } from './seed.js';
import type { ModelRequest } from './stand-ins/model.js';

/** How often each memory of a kind stands in the request, and in which roles. */
export function occurrences(
  request: ModelRequest | undefined,
  kind: MemoryKind,
): { counts: number[]; roles: string[] } {
  return find(request, contentsOf(kind));
}

export interface Reached {
  /** Such as "preference, project (4), database". */
  memories: string;
  /** Where they stand, such as `system`. */
  roles: readonly string[];
}

/** @param further texts to look for beside the seeded memories, by their names in the table */
export function reachedBy(request: ModelRequest | undefined, further: Readonly<Record<string, string>> = {}): Reached {
  if (request === undefined) return { memories: 'no request', roles: [] };
  const looked = [
    ...(Object.keys(MEMORIES) as MemoryKind[]).map(kind => ({ kind, contents: contentsOf(kind) })),
    ...Object.entries(further).map(([kind, content]) => ({ kind, contents: [content] })),
  ];
  const given = looked
    .map(({ kind, contents }) => ({ kind, ...find(request, contents) }))
    .filter(({ counts }) => counts.some(count => count > 0));
  const names = given.map(({ kind, counts }) => {
    const present = counts.filter(count => count > 0);
    const often = Math.max(...present);
    return `${kind}${counts.length > 1 ? ` (${present.length})` : ''}${often > 1 ? ` **${often} times**` : ''}`;
  });
  return { memories: names.join(', ') || 'nothing', roles: [...new Set(given.flatMap(each => each.roles))] };
}

function contentsOf(kind: MemoryKind): string[] {
  return MEMORIES[kind].map(({ content }) => content);
}

function find(request: ModelRequest | undefined, contents: readonly string[]): { counts: number[]; roles: string[] } {
  const roles = new Set<string>();
  const counts = contents.map(content =>
    (request?.texts ?? []).reduce((sum, { role, text }) => {
      const found = text.split(content).length - 1;
      if (found > 0) roles.add(role);
      return sum + found;
    }, 0),
  );
  return { counts, roles: [...roles] };
}
