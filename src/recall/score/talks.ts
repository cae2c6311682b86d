/** Which talk a memory belongs to, where it says so. */
import type { Memory } from '../../domain/memory.js';
import { tagKey } from '../../domain/tags.js';

const TALK_TAG = /^(?:conversation|session|thread|chat|episode)[:/]/i;
const TALK_FIELDS = ['session_id', 'conversation_id', 'thread_id'] as const;

/** A pause longer than this begins a new subject. */
export const MAX_GAP_MS = 30 * 60_000;

/** Keys of the tags by which these memories belong to talks; undefined where one of them says so in another way. */
export function talkTagKeys(memories: readonly Memory[]): string[] | undefined {
  const keys = new Set<string>();
  for (const memory of memories) {
    const ofTags = memory.tags.filter(tag => TALK_TAG.test(tag));
    if (talksOf(memory).length > ofTags.length) return undefined;
    for (const tag of ofTags) keys.add(tagKey(tag));
  }
  return [...keys];
}

/** Names of its talks; none for a note that stands by itself. */
export function talksOf({ tags, metadata }: Memory): string[] {
  const ofTags = tags.filter(tag => TALK_TAG.test(tag)).map(tag => tag.toLowerCase());
  const ofFields = TALK_FIELDS.flatMap(field => {
    const name = metadata[field];
    return typeof name === 'string' || typeof name === 'number' ? [`${field}=${name}`] : [];
  });
  return [...ofTags, ...ofFields];
}
