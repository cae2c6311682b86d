/**
 * Finds memories that were stored under former names of their project (docs/decisions.md, "One name for a project"). An alias is
 * stored only if memories have the tag of the former name.
 */

import type { RecallQuery } from '../domain/recall.js';
import { type NamedProject, type ProjectAlias, projectKeysOf, projectTag, tagKey } from '../domain/tags.js';
import { type Clock, toIso } from '../domain/time.js';
import type { MemoryStore } from '../stores/ports/memory-store.js';
import type { NodeStore } from '../stores/ports/node-store.js';

export interface ProjectAliases {
  /** Stores the former names of a project that memories have. */
  note(project: NamedProject): Promise<void>;
  /** Lists the former names that memories have, by project. */
  list(): Promise<ProjectAlias[]>;
  /** Adds the former names to the tags and to the hints of a query. If they cannot be read, the query is unchanged. */
  applyTo(query: RecallQuery): Promise<RecallQuery>;
}

/** @internal */
export interface AliasParts {
  graph: Pick<NodeStore, 'saveNode' | 'getNode' | 'listNodes'> & Pick<MemoryStore, 'countMemories'>;
  clock: Clock;
  onFailure(error: unknown): void;
}

/** Maximum number of projects whose former names are read. */
const PROJECTS_MAX = 1_000;
/** Other processes may store aliases in a shared graph. */
const KNOWN_FOR_MS = 60_000;

/** Former names by project. */
type FormerNames = ReadonlyMap<string, readonly string[]>;

/** @internal */
export function createProjectAliases({ graph, clock, onFailure }: AliasParts): ProjectAliases {
  let known: { names: Promise<FormerNames>; readMs: number } | undefined;

  const read = (): Promise<FormerNames> => {
    if (known && clock.elapsedMs() - known.readMs < KNOWN_FOR_MS) return known.names;
    const names = graph
      .listNodes('ProjectAlias', PROJECTS_MAX)
      .then(nodes => new Map(nodes.map(({ id, properties: { former_names: former } }) => [id, namesIn(former)])));
    known = { names, readMs: clock.elapsedMs() };
    names.catch(() => {
      known = undefined;
    });
    return names;
  };
  const countOf = (name: string) => graph.countMemories({ tagKeys: [tagKey(projectTag(name))] });

  return {
    note: async ({ name, formerNames }) => {
      // Other processes may have stored more names since `read`.
      const before = namesIn((await graph.getNode('ProjectAlias', name))?.properties.former_names);
      const key = tagKey(projectTag(name));
      const unknown = formerNames.filter(each => !before.includes(each) && tagKey(projectTag(each)) !== key);
      const counts = await Promise.all(unknown.map(countOf));
      const found = unknown.filter((_, at) => (counts[at] ?? 0) > 0);
      if (found.length === 0) return;
      const properties = { former_names: [...before, ...found] };
      await graph.saveNode({ kind: 'ProjectAlias', id: name, properties, updated_at: toIso(clock.nowMs()) });
      known = undefined;
    },
    list: async () => {
      known = undefined;
      const pairs = [...(await read())].flatMap(([project, former]) =>
        former.map(async formerName => ({ project, formerName, memoryCount: await countOf(formerName) })),
      );
      const aliases = (await Promise.all(pairs)).filter(({ memoryCount }) => memoryCount > 0);
      return aliases.sort((a, b) => (a.project < b.project ? -1 : a.project > b.project ? 1 : 0));
    },
    applyTo: async query => {
      const asked = projectKeysOf([...query.tags, ...(query.hints?.context_tags ?? [])]);
      if (asked.length === 0) return query;
      try {
        return withAliases(query, await read());
      } catch (error) {
        onFailure(error);
        return query;
      }
    },
  };
}

function withAliases(query: RecallQuery, names: FormerNames): RecallQuery {
  const byKey = new Map([...names].map(([name, former]) => [tagKey(projectTag(name)), former.map(projectTag)]));
  const formerOf = (tags: readonly string[]) =>
    projectKeysOf(tags).flatMap(key => (byKey.has(key) ? [[key, byKey.get(key)?.map(tagKey) ?? []] as const] : []));
  const aliases = formerOf(query.tags);
  const hinted = formerOf(query.hints?.context_tags ?? []).flatMap(([, keys]) => keys);
  return {
    ...query,
    ...(aliases.length > 0 && { tag_aliases: Object.fromEntries(aliases) }),
    ...(query.hints &&
      hinted.length > 0 && { hints: { ...query.hints, context_tags: [...query.hints.context_tags, ...hinted] } }),
  };
}

function namesIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(each => typeof each === 'string') : [];
}
