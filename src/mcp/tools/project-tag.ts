/** Adds the tag of the project to memories that name no project. */
import { type NamedProject, projectKeysOf, projectTag } from '../../domain/project.js';
import { tagLevels } from '../../domain/tags.js';
import type { ToolContext } from '../tool.js';

interface Tagged {
  tags?: string[] | undefined;
}

export interface ProjectTagging<Item> {
  memories: Item[];
  /** The tag, if it was added to a memory. */
  addedTag?: string;
}

/** Never fails: memories whose project is unknown, or that have no room for another tag, stay as they are. */
export async function withProjectTag<Item extends Tagged>(
  memories: readonly Item[],
  { findProject, limits, memory }: ToolContext,
): Promise<ProjectTagging<Item>> {
  const { maxCount, maxLength, maxLevels } = limits.tags;
  const lacksProject = ({ tags = [] }: Item) => projectKeysOf(tags).length === 0 && tags.length < maxCount;
  const project = memories.some(lacksProject) ? await findProject?.() : undefined;
  const tag = projectTag(project?.name ?? '');
  if (!project || tag.length > maxLength || tagLevels(tag) > maxLevels) return { memories: [...memories] };
  await noteOnce(project, memory);
  const tagged = memories.map(each => (lacksProject(each) ? { ...each, tags: [...(each.tags ?? []), tag] } : each));
  return { memories: tagged, addedTag: tag };
}

/** The projects whose former names the memory knows, or is being told. */
const noted = new WeakMap<NamedProject, Promise<unknown>>();

/**
 * The store does not fail with this: the next conversation notes the project again. All calls wait for the first one, so
 * that they are stored in their order.
 */
async function noteOnce(project: NamedProject, memory: ToolContext['memory']): Promise<void> {
  const { name, formerNames } = project;
  if (formerNames.length === 0) return;
  const noting =
    noted.get(project) ??
    memory.noteProject({ project: name, former_projects: [...formerNames] }).catch(() => noted.delete(project));
  noted.set(project, noting);
  await noting;
}
