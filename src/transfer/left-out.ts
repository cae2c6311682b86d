/** Collects the records that an import leaves out: their numbers, reasons and first places. */
import type { LeftOut, Severity } from './sources/source.js';

export interface LeftOutGroup {
  kind: string;
  problem: string;
  severity: Severity;
  count: number;
  /** The first places. */
  places: string[];
}

export interface LeftOutRecords {
  add(record: LeftOut): void;
  countOf(severity: Severity): number;
  /** Number of records of a kind, except those that are no memories. */
  countIn(kind: string): number;
  kinds(): string[];
  /** Broken records first. */
  groups(): LeftOutGroup[];
}

const PLACES_MAX = 10;
/** Some reasons contain a number, so a large file may have as many reasons as records. */
const GROUPS_MAX = 50;
const OTHER_PROBLEM = 'has another problem';
const SEVERITIES: readonly Severity[] = ['broken', 'incomplete', 'credential', 'expected'];

export function createLeftOut(): LeftOutRecords {
  const groups = new Map<string, LeftOutGroup>();
  const groupOf = ({ kind, problem, severity = 'broken' }: LeftOut): LeftOutGroup => {
    const known = groups.get(`${severity} ${kind} ${problem}`);
    if (known) return known;
    const isFull = groups.size >= GROUPS_MAX && problem !== OTHER_PROBLEM;
    if (isFull) return groupOf({ kind, problem: OTHER_PROBLEM, severity, place: '' });
    const group = { kind, problem, severity, count: 0, places: [] };
    groups.set(`${severity} ${kind} ${problem}`, group);
    return group;
  };
  const sum = (isCounted: (group: LeftOutGroup) => boolean) =>
    [...groups.values()].filter(isCounted).reduce((total, { count }) => total + count, 0);
  return {
    add: record => {
      const group = groupOf(record);
      group.count += 1;
      if (group.places.length < PLACES_MAX) group.places.push(record.place);
    },
    countOf: severity => sum(group => group.severity === severity),
    countIn: kind => sum(group => group.kind === kind && group.severity !== 'expected'),
    kinds: () => [...new Set([...groups.values()].map(({ kind }) => kind))],
    groups: () => SEVERITIES.flatMap(severity => [...groups.values()].filter(group => group.severity === severity)),
  };
}

export function credentialProblem(kinds: readonly string[]): string {
  return `seems to contain a credential (${kinds.join(', ')})`;
}
