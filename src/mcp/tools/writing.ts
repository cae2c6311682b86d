/**
 * What the tools that store and change memories have in common: checks of credentials and sizes, the tag of the project, and
 * the older memories that a new one may replace.
 */

import { z } from 'zod';
import { flag } from '../../api/fields.js';
import { optional } from '../../api/input.js';
import type { StoreManyAnswer, UpdateAnswer } from '../../api/memories.js';
import { type CheckedRecord, type CredentialsInField, credentialsInRecord } from '../../credentials.js';
import { MemoryError } from '../../domain/errors.js';
import type { InputLimits } from '../../domain/input.js';
import type { ContentTiers } from '../../domain/settings.js';
import { onOneLine } from '../../domain/shown-text.js';
import type { NamedProject } from '../../domain/tags.js';
import { projectKeysOf, projectTag, tagLevels } from '../../domain/tags.js';
import type { ToolContext } from '../handlers.js';

export const allowCredentials = optional(flag).describe('Stores the memory even if it seems to contain a credential');

export interface ContentCheck {
  allowsCredentials: boolean | undefined;
  /** Position in a batch, from 0. */
  index?: number;
}

/**
 * @returns the kinds of credentials that the record seems to contain, when credentials are allowed
 * @throws MemoryError `invalid` when credentials are not allowed and the record seems to contain one
 */
export async function checkCredentials(
  record: CheckedRecord,
  { allowsCredentials = false, index }: ContentCheck,
): Promise<string[]> {
  const found = await credentialsInRecord(record);
  if (found[0] && !allowsCredentials) throw credentialRefusal(found[0], index);
  return [...new Set(found.flatMap(({ kinds }) => kinds))];
}

function credentialRefusal({ field, kinds }: CredentialsInField, index: number | undefined): MemoryError {
  const where = index === undefined ? '' : ` in item ${index}`;
  const what = field === 'tags' ? 'a tag' : field;
  return new MemoryError('invalid', `${what} seems to contain a credential (${kinds.join(', ')})${where}`, {
    field,
    ...(index !== undefined && { index }),
    hint:
      'Nothing was stored. Everybody who recalls a memory can read it: leave the secret out and say where it is ' +
      'kept. If it is not a secret, call again with allow_credentials: true.',
  });
}

export function credentialWarning(kinds: readonly string[]): string {
  return (
    `The memory seems to contain a credential (${kinds.join(', ')}). Everybody who recalls it can read the credential. ` +
    'Delete the memory and store it again without the secret: update_memory keeps the former version in the history.'
  );
}

export const REPETITION_WARNING =
  'The content was stored as it is, with memories that Engraph has shown to you, which are stored already. If only ' +
  'the rest is new, shorten it with update_memory.';

/**
 * @param index of the item in a batch
 * @throws MemoryError `too_large`
 */
export function refuseOversize(length: number, { hardLimit }: ContentTiers, index?: number): void {
  if (length <= hardLimit) return;
  const which = index === undefined ? 'The content' : `The content of item ${index}`;
  throw new MemoryError('too_large', `${which} has ${length} characters; the limit is ${hardLimit}`, {
    field: 'content',
    ...(index !== undefined && { index }),
    hint: 'Nothing was stored. Split the content into several memories with one fact each.',
  });
}

/** Returns a warning, or undefined when the content is short enough to be recalled well. */
export function sizeWarning(length: number, { softLimit }: ContentTiers): string | undefined {
  if (length <= softLimit) return undefined;
  return `The content has ${length} characters. Contents over ${softLimit} are recalled less well; 150-300 are ideal.`;
}

/** States the limit of the tool in the schema of a content. It is usually lower than the limit of REST. */
export function withLength<Field extends z.ZodType>(
  content: Field,
  { contentMaxLength }: InputLimits,
  hardLimit: number,
): Field {
  return content.meta({ ...content.meta(), maxLength: Math.min(contentMaxLength, hardLimit) });
}

/** Lists one property, although all are accepted, because some models refuse an object without properties. */
export function withSource<Field extends z.ZodType>(metadata: Field): Field {
  return metadata.meta({ properties: { source: { type: 'string' } } });
}

/** Older memories that a written memory may replace. In a batch, `newer_id` names the written memory. */
export const replaceableOutput = z
  .array(z.looseObject({ memory_id: z.string(), content: z.string(), why: z.string() }))
  .optional();

type Found = NonNullable<UpdateAnswer['may_replace'] | StoreManyAnswer['may_replace']>[number];

/** @param newerId id of the written memory, unless each found memory names it */
export function describeReplaceable(found: readonly Found[] = [], newerId = ''): string[] {
  return found.map(each => {
    const { memory_id: older, content, why } = each;
    const newer = 'newer_id' in each ? each.newer_id : newerId;
    const call = `associate_memories {"memory1_id": "${older}", "memory2_id": "${newer}", "type": "INVALIDATED_BY"}`;
    return onOneLine(`May replace ${older}: "${content}" (${why}). If so: ${call}`);
  });
}

/**
 * @param retry advice for a call that may or may not have stored something
 * @throws MemoryError `unavailable` with the advice when the memory is unavailable; other errors are
 * passed on unchanged
 */
export async function storeSafely<Answer>(store: () => Promise<Answer>, retry: string): Promise<Answer> {
  try {
    return await store();
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code !== 'unavailable') throw error;
    throw new MemoryError('unavailable', error.message, {
      hint: error.hint === undefined ? retry : `${error.hint} ${retry}`,
      cause: error,
    });
  }
}

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
