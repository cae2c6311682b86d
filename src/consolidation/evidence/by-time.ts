/** Orders two memories by time. */
import type { Memory } from '../../domain/memory.js';

export function byTime(a: Memory, b: Memory): [older: Memory, newer: Memory] {
  const isInOrder = a.timestamp === b.timestamp ? a.id < b.id : a.timestamp < b.timestamp;
  return isInOrder ? [a, b] : [b, a];
}
