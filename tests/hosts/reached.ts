/** Finds the seeded memories in a request to the model. */
import { MEMORIES, type MemoryKind } from './seed.js';
import type { ModelRequest } from './stand-ins/model.js';

/** How often each memory of a kind stands in the request, and where. */
export function occurrences(
  request: ModelRequest | undefined,
  kind: MemoryKind,
): { counts: number[]; roles: string[] } {
  const roles = new Set<string>();
  const counts = MEMORIES[kind].map(({ content }) =>
    (request?.texts ?? []).reduce((sum, { role, text }) => {
      const found = text.split(content).length - 1;
      if (found > 0) roles.add(role);
      return sum + found;
    }, 0),
  );
  return { counts, roles: [...roles] };
}

/** Such as "preference, project (4), database; in `system`". */
export function describeReached(request: ModelRequest | undefined): string {
  if (request === undefined) return 'no request';
  const kinds = Object.keys(MEMORIES) as MemoryKind[];
  const found = kinds.map(kind => ({ kind, ...occurrences(request, kind) }));
  const given = found.filter(({ counts }) => counts.some(count => count > 0));
  if (given.length === 0) return 'none';
  const names = given.map(({ kind, counts }) => {
    const present = counts.filter(count => count > 0);
    const often = Math.max(...present);
    return `${kind}${counts.length > 1 ? ` (${present.length})` : ''}${often > 1 ? ` **${often} times**` : ''}`;
  });
  const roles = new Set(given.flatMap(each => each.roles));
  return `${names.join(', ')}, in \`${[...roles].join('`, `')}\``;
}
