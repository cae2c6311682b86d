/** The seven memory types. The list is closed (docs/decisions.md, "Closed types"). */

export const MEMORY_TYPES = ['Decision', 'Pattern', 'Preference', 'Style', 'Habit', 'Insight', 'Context'] as const;

export type MemoryType = (typeof MEMORY_TYPES)[number];

/** Types of memories that say how a person wants things to be done. */
export const PREFERENCE_TYPES = ['Preference', 'Style', 'Habit'] as const satisfies readonly MemoryType[];

/** Type and confidence of a memory that could not be classified. */
export const UNCLASSIFIED = { type: 'Context', confidence: 0.3 } as const;

/** Confidence of a memory if the caller gave its type but no confidence. */
export const STATED_TYPE_CONFIDENCE = 0.9;

const TYPE_BY_LOWER_CASE = new Map<string, MemoryType>(MEMORY_TYPES.map(type => [type.toLowerCase(), type]));

/** Parses a type, in upper or lower case. Undefined when the text is not one of the seven types. */
export function readMemoryType(value: string): MemoryType | undefined {
  return TYPE_BY_LOWER_CASE.get(value.trim().toLowerCase());
}
