/** Projects, as tags name them (docs/decisions.md, "One name for a project"). */
import { tagKey } from './tags.js';

/** A project under its name, and the names under which its memories may have been stored before. */
export interface NamedProject {
  /** `owner/name` of a repository, or the name of a folder. */
  name: string;
  formerNames: readonly string[];
}

/** A former name of a project that memories still have. */
export interface ProjectAlias {
  project: string;
  formerName: string;
  /** Number of memories with the tag of the former name. */
  memoryCount: number;
}

const KIND = 'project';

export function projectTag(name: string): string {
  return `${KIND}:${name}`;
}

/** Keys of the tags that name a project. */
export function projectKeysOf(tags: readonly string[]): string[] {
  return tags.map(tagKey).filter(key => key.startsWith(`${KIND}:`));
}

/** Keys of the tags of a project, under its name and its former names. */
export function keysOfProject({ name, formerNames }: NamedProject): string[] {
  return [name, ...formerNames].map(each => tagKey(projectTag(each)));
}

/**
 * Whether tags name projects, but not the one with these keys. A tag above it, such as `project:owner`, names it too,
 * and so does a tag below it.
 */
export function isOfOtherProjects(tags: readonly string[], keys: readonly string[]): boolean {
  const named = projectKeysOf(tags);
  return named.length > 0 && !named.some(one => keys.some(other => isWithin(one, other) || isWithin(other, one)));
}

function isWithin(key: string, above: string): boolean {
  return key === above || key.startsWith(`${above}:`);
}
