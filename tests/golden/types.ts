/** Notes as assistants write them, each labelled with a type, and the measurements on them. */
import { readFileSync } from 'node:fs';
import type { MemoryType } from '../../src/domain/memory.js';
import type { Engine } from '../../src/engine/engine.js';

export interface LabelledNote {
  text: string;
  label: MemoryType;
}

export interface TypesOutcome {
  /** Share of all notes that got the type of their label, 0..1. */
  accuracy: number;
  /** Number of notes that wrongly got this type. */
  wrongDecisions: number;
  wrongPreferences: number;
  /** Share of all notes that wrongly got one of these two types, 0..1. They do more harm than a missing type. */
  wrongShare: number;
  /** The notes with another type than their label. */
  missed: { text: string; label: MemoryType; got: MemoryType }[];
}

/** Reads a file of this folder with one JSON object per line. */
export function readNotes(file: 'types-development.jsonl' | 'types-held-out.jsonl'): LabelledNote[] {
  const lines = readFileSync(`tests/golden/${file}`, 'utf8').trim().split('\n');
  return lines.map(line => JSON.parse(line) as LabelledNote);
}

export function measureNotes(notes: readonly LabelledNote[], types: readonly MemoryType[]): TypesOutcome {
  const missed = notes.flatMap(({ text, label }, index) => {
    const got = types[index] ?? 'Context';
    return got === label ? [] : [{ text, label, got }];
  });
  const wrong = (type: MemoryType) => missed.filter(({ got }) => got === type).length;
  const [wrongDecisions, wrongPreferences] = [wrong('Decision'), wrong('Preference')];
  return {
    accuracy: 1 - missed.length / notes.length,
    wrongDecisions,
    wrongPreferences,
    wrongShare: (wrongDecisions + wrongPreferences) / notes.length,
    missed,
  };
}

/** Stores the notes without a type. @returns their types at once, and later when the background work is done */
export async function typesOf(
  engine: Pick<Engine, 'storeMany' | 'idle' | 'get'>,
  notes: readonly LabelledNote[],
): Promise<{ atOnce: MemoryType[]; later: MemoryType[] }> {
  const { memories } = await engine.storeMany(notes.map(({ text }) => ({ content: text, metadata: {} })));
  await engine.idle();
  const later: MemoryType[] = [];
  for (const { id } of memories) later.push((await engine.get(id)).memory.type);
  return { atOnce: memories.map(({ type }) => type), later };
}
