/**
 * The format of the labelled sentences for entity recognition, and the measurements of a recogniser on them. A line is
 * `text => kind: name, name; kind: name`. Finding an unlabelled entity is as serious as missing a labelled entity.
 */
import { readFileSync } from 'node:fs';
import { ENTITY_KINDS, type Entity, type EntityKind, entityTag } from '../../src/domain/entity.js';

export interface LabelledText {
  text: string;
  entities: Entity[];
}

/** Reads one labelled text from each line. Empty lines and comments (`# …`) are ignored. `\n` means a line break. */
export function parseLabelled(lines: string): LabelledText[] {
  return lines
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('# '))
    .map(parseLine);
}

function parseLine(line: string): LabelledText {
  const at = line.lastIndexOf('=>', line.length);
  if (at < 0) throw new Error(`no label: ${line}`);
  const text = line.slice(0, at).trim().replaceAll('\\n', '\n');
  const labels = line.slice(at + 2).trim();
  return { text, entities: labels === '' ? [] : labels.split(';').flatMap(parseLabel) };
}

function parseLabel(label: string): Entity[] {
  const [kind, names] = label.split(':').map(part => part.trim());
  const known = ENTITY_KINDS.find(one => one === kind);
  if (known === undefined || names === undefined) throw new Error(`not a label: ${label}`);
  return names.split(',').map(name => ({ kind: known, name: name.trim() }));
}

export interface Counts {
  /** Number of labelled entities that were found. */
  right: number;
  /** Number of entities that were found but are not labelled. */
  wrong: number;
  /** Number of labelled entities that were not found. */
  missed: number;
}

export type CountsByKind = Record<EntityKind | 'all', Counts>;

/** Compares entities by tag, because tags link memories. Accents and case of a name do not matter. */
export function measure(recognize: (text: string) => Entity[], set: readonly LabelledText[]): CountsByKind {
  const counts = Object.fromEntries(
    [...ENTITY_KINDS, 'all'].map(kind => [kind, { right: 0, wrong: 0, missed: 0 }]),
  ) as CountsByKind;
  for (const { text, entities } of set) {
    const found = tagsByKind(recognize(text));
    const labelled = tagsByKind(entities);
    for (const [tag, kind] of found) add(counts, kind, labelled.has(tag) ? 'right' : 'wrong');
    for (const [tag, kind] of labelled) if (!found.has(tag)) add(counts, kind, 'missed');
  }
  return counts;
}

function tagsByKind(entities: readonly Entity[]): Map<string, EntityKind> {
  return new Map(entities.map(entity => [entityTag(entity), entity.kind]));
}

function add(counts: CountsByKind, kind: EntityKind, outcome: keyof Counts): void {
  counts[kind][outcome] += 1;
  counts.all[outcome] += 1;
}

export const precisionOf = ({ right, wrong }: Counts): number => (right + wrong === 0 ? 1 : right / (right + wrong));
export const recallOf = ({ right, missed }: Counts): number => (right + missed === 0 ? 1 : right / (right + missed));

const read = (name: string) => parseLabelled(readFileSync(`tests/golden/${name}.txt`, 'utf8'));

/** Recognition was tuned on this set only. */
export const DEVELOPMENT = read('entities-development');
export const HELD_OUT = read('entities-held-out');
/** Written and labelled without reading the lists of the recogniser, and before it was first run on them. */
export const PLAIN_NOTES = read('entities-plain-notes');
