/** Reads the planted corpus. A line has the letter of a type, a name if a pair refers to the note, and the text. */
import type { RawInput } from '../../../src/api/input.js';
import type { MemoryType } from '../../../src/domain/memory-type.js';

export type Pair = readonly [string, string];
export type Half = 'development' | 'heldOut';

export interface TopicText {
  name: string;
  tags: readonly string[];
  /** Lines in the order of their timestamps. */
  notes: readonly string[];
}

export interface PlantedMemory {
  id: string;
  /** Absent if no pair refers to the note. */
  name?: string;
  topic: string;
  half: Half;
  input: RawInput;
}

const TYPES: Record<string, MemoryType> = {
  D: 'Decision',
  I: 'Insight',
  P: 'Preference',
  S: 'Style',
  H: 'Habit',
  C: 'Context',
  T: 'Pattern',
};
const LINE = /^([DIPSHCT])(?: ([\w-]+))? \| (.+)$/;
const FIRST_DAY_MS = Date.parse('2025-01-06T09:00:00Z');
const HOUR_MS = 3_600_000;
/** Time between two successive notes of one topic. */
const STEP_MS = 11 * 24 * HOUR_MS;

export interface ReadOptions {
  half: Half;
  tagging: Tagging;
  /** Index of the topic. It determines the hours and the ids of the notes. */
  index: number;
}

export function readTopic(
  { name: topic, tags, notes }: TopicText,
  { half, tagging, index }: ReadOptions,
): PlantedMemory[] {
  return notes.map((line, place) => {
    const [, letter = '', name, content = ''] = LINE.exec(line) ?? [];
    if (content === '') throw new Error(`A line of the topic ${topic} cannot be read: ${line}`);
    const id = `00000000-0000-4000-8000-${String(index * 1000 + place).padStart(12, '0')}`;
    const timestamp = new Date(FIRST_DAY_MS + place * STEP_MS + index * 5 * HOUR_MS).toISOString();
    const input = {
      id,
      content,
      type: TYPES[letter],
      tags: tagsAt(tags, place, tagging),
      timestamp,
      last_accessed: timestamp,
    };
    return { id, ...(name !== undefined && { name }), topic, half, input };
  });
}

/** Tags that do not depend on the topic of a note. */
const LOOSE_TAGS = ['note', 'later', 'important', '2025', 'question'];

/**
 * `usual`: four notes of five have a tag of their topic, and two of five have a loose tag. `sparse`: two of five have
 * no tag.
 */
export type Tagging = 'usual' | 'sparse';

function tagsAt([first = '', second = '']: readonly string[], place: number, tagging: Tagging): string[] {
  const loose = LOOSE_TAGS[Math.floor(place / 5) % LOOSE_TAGS.length] ?? '';
  const tags = {
    usual: [[first], [second, loose], [first, second], [loose], [first]],
    sparse: [[first], [], [second], [first, second], []],
  };
  return tags[tagging][place % 5] ?? [];
}
