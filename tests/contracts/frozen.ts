/** Checks that a record refuses changes. Stores share records among their callers. */
import { expect } from 'vitest';
import type { Memory } from '../../src/domain/memory.js';

export function expectFrozen(memory: Memory): void {
  const { tags, tag_prefixes, metadata } = memory;
  for (const part of [memory, tags, tag_prefixes, metadata, ...Object.values(metadata)]) {
    if (typeof part !== 'object' || part === null) continue;
    expect(() => Object.assign(part, { added: true }), JSON.stringify(part)).toThrow(TypeError);
  }
}
