/** Which memories were noted in one conversation. Tags and metadata name the conversations of a memory. */
import type { Memory } from './memory.js';
import { tagKeys } from './tags.js';

const CONVERSATION_TAG = /^(?:conversation|session|thread|chat|episode)[:/]/i;
const CONVERSATION_FIELDS = ['session_id', 'conversation_id', 'thread_id'] as const;

/** Ids of the memory's conversations. Empty for a memory outside of conversations. */
export function conversationsOf({ tags, metadata }: Memory): string[] {
  const ofTags = tags.filter(tag => CONVERSATION_TAG.test(tag)).map(tag => tag.toLowerCase());
  const ofFields = CONVERSATION_FIELDS.flatMap(field => {
    const name = metadata[field];
    return typeof name === 'string' || typeof name === 'number' ? [`${field}=${name}`] : [];
  });
  return [...ofTags, ...ofFields];
}

/**
 * Keys of the tags that name the conversations of these memories. Undefined when a memory names a conversation in its
 * metadata.
 */
export function conversationTagKeys(memories: readonly Memory[]): string[] | undefined {
  const named = new Set<string>();
  for (const memory of memories) {
    const ofTags = memory.tags.filter(tag => CONVERSATION_TAG.test(tag));
    if (conversationsOf(memory).length > ofTags.length) return undefined;
    for (const tag of ofTags) named.add(tag);
  }
  return tagKeys([...named]);
}
