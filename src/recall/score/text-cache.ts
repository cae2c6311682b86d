/** Caches analysed memories for later recalls, because the same memories become candidates again and again. */

import { createRecent } from '../../domain/collections.js';
import type { Memory } from '../../domain/memory.js';
import { searchedMetadata } from '../../domain/metadata.js';
import { tagKeys } from '../../domain/tags.js';
import { readText, type TextEvidence } from './text.js';

/** A memory with all data that its comparison with a question needs. */
export interface Reading {
  memory: Memory;
  text: TextEvidence;
  notedMs: number;
  accessedMs: number;
  /** Ids of the memory's conversations. Empty for a memory outside of conversations. */
  talks: readonly string[];
}

export interface TextCache {
  read(memory: Memory): Reading;
}

/** Size of the cache. It keeps at least four fifths of this size: about 12,000 notes, or 2,100 long messages. */
const BYTES_MAX = 18 * 1024 * 1024;
/** Estimated size in bytes of an entry without its content, hashes and tags, and of each tag in an entry. */
const BYTES_OF_READING = 820;
const BYTES_OF_TAG = 8;

/** Creates a cache that analyses a memory again when its content or tags have changed. */
export function createTextCache(maxBytes = BYTES_MAX): TextCache {
  const known = createRecent<Reading>(maxBytes, bytesOf);
  return {
    read: memory => {
      const kept = known.get(memory.id);
      // Compare the objects first, because stores with a record cache return the same object until the record is
      // written.
      if (kept?.memory === memory) return kept;
      const text = kept && isSameText(kept.memory, memory) ? kept.text : readText(memory);
      const reading = {
        memory,
        text,
        notedMs: Date.parse(memory.timestamp),
        accessedMs: Date.parse(memory.last_accessed),
        talks: conversationsOf(memory),
      };
      known.set(memory.id, reading);
      return reading;
    },
  };
}

function bytesOf({ memory: { content }, text: { hashes, further, metadata, tags } }: Reading): number {
  const ofHashes = hashes.byteLength + further.byteLength + metadata.byteLength;
  return BYTES_OF_READING + content.length + ofHashes + tags.length * BYTES_OF_TAG;
}

function isSameText(one: Memory, other: Memory): boolean {
  if (one.content !== other.content || one.tags.length !== other.tags.length) return false;
  if (searchedMetadata(one.metadata) !== searchedMetadata(other.metadata)) return false;
  return one.tags.every((tag, index) => tag === other.tags[index]);
}

const CONVERSATION_TAG = /^(?:conversation|session|thread|chat|episode)[:/]/i;
const CONVERSATION_FIELDS = ['session_id', 'conversation_id', 'thread_id'] as const;

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

/** Ids of the memory's conversations. Empty for a memory outside of conversations. */
export function conversationsOf({ tags, metadata }: Memory): string[] {
  const ofTags = tags.filter(tag => CONVERSATION_TAG.test(tag)).map(tag => tag.toLowerCase());
  const ofFields = CONVERSATION_FIELDS.flatMap(field => {
    const name = metadata[field];
    return typeof name === 'string' || typeof name === 'number' ? [`${field}=${name}`] : [];
  });
  return [...ofTags, ...ofFields];
}
