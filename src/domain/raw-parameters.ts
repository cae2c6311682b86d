/** Readers of untrusted parameters, from a query string or a tool call alike; each names the parameter it refuses. */
import { countProblem, joinedLengthProblem, lengthProblem, type TagLimits } from './bounds.js';
import { invalidField } from './errors.js';
import { instant, memoryId, memoryType, parseFields, readNumber, tagList, unitNumber } from './memory-input.js';
import type { MemoryType } from './memory-type.js';

/** Parameters by name: text from a query string (arrays where a key repeats) or JSON from a tool call. */
export type RawParameters = Readonly<Record<string, unknown>>;

/** Longest text of a parameter that says nothing of its own length: choices, instants. */
const TEXT_MAX_LENGTH = 100;
/** Of lists that ask. Tags may be longer here than in a new memory, so that older ones are still found by theirs. */
const LIST_LIMITS: TagLimits = { maxCount: 100, maxLength: 1_000, maxLevels: 32 };
const TRUE_WORDS: ReadonlySet<unknown> = new Set([true, 1, '1', 'true', 'yes', 'y', 'on']);
const FALSE_WORDS: ReadonlySet<unknown> = new Set([false, 0, '0', 'false', 'no', 'n', 'off']);

/** The name under which a parameter was given: the first of its names that has a value, else the first. */
export function givenName(raw: RawParameters, ...names: [string, ...string[]]): string {
  return names.find(name => isGiven(raw[name])) ?? names[0];
}

/** Trimmed text of at most so many characters; undefined when absent or blank. */
export function readText(raw: RawParameters, name: string, maxLength = TEXT_MAX_LENGTH): string | undefined {
  const value = raw[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw invalidField(name, 'must be a string, given once');
  const text = value.trim();
  refuse(name, lengthProblem(text, maxLength));
  return text || undefined;
}

export function readFlag(raw: RawParameters, name: string): boolean | undefined {
  const value = raw[name];
  if (!isGiven(value)) return undefined;
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (TRUE_WORDS.has(word)) return true;
  if (FALSE_WORDS.has(word)) return false;
  throw invalidField(name, 'must be true or false');
}

/** A whole number, clamped into its bounds. */
export function readCount(
  raw: RawParameters,
  name: string,
  { min = 1, max }: { min?: number; max: number },
): number | undefined {
  const value = raw[name];
  if (!isGiven(value)) return undefined;
  const number = readNumber(value);
  if (number === undefined || !Number.isInteger(number)) throw invalidField(name, 'must be a whole number');
  return Math.min(Math.max(number, min), max);
}

/** A number from 0 to 1. */
export function readUnitNumber(raw: RawParameters, name: string): number | undefined {
  if (!isGiven(raw[name])) return undefined;
  return parseFields({ [name]: unitNumber }, raw)[name];
}

/** A number of 0 or more. */
export function readAmount(raw: RawParameters, name: string): number | undefined {
  const value = raw[name];
  if (!isGiven(value)) return undefined;
  const number = readNumber(value);
  if (number === undefined || number < 0) throw invalidField(name, 'must be a number of 0 or more');
  return number;
}

export function readChoice<Choice extends string>(
  raw: RawParameters,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const text = readText(raw, name)?.toLowerCase();
  if (text === undefined) return undefined;
  const choice = choices.find(candidate => candidate === text);
  if (choice === undefined) throw invalidField(name, `must be one of ${choices.join(', ')}`);
  return choice;
}

/** An instant, normalised to UTC. */
export function readInstant(raw: RawParameters, name: string): string | undefined {
  const text = readText(raw, name);
  return text === undefined ? undefined : parseFields({ [name]: instant }, { [name]: text })[name];
}

/** Tags or names, at most a hundred; a comma separates items inside one value too. */
export function readList(raw: RawParameters, name: string): string[] {
  const value = raw[name];
  if (value === undefined || value === null) return [];
  const items: unknown[] = Array.isArray(value) ? value : [value];
  refuse(name, countProblem(items, LIST_LIMITS.maxCount));
  const texts = items.flatMap(item => {
    if (typeof item !== 'string') return [item];
    refuse(name, joinedLengthProblem(item, LIST_LIMITS));
    return item.split(',');
  });
  return parseFields({ [name]: tagList(LIST_LIMITS) }, { [name]: texts })[name] as string[];
}

export function readIds(raw: RawParameters, name: string): string[] {
  return readList(raw, name).map(id => parseFields({ [name]: memoryId }, { [name]: id })[name] as string);
}

export function readTypes(raw: RawParameters, name: string): MemoryType[] {
  return readList(raw, name).map(type => parseFields({ [name]: memoryType }, { [name]: type })[name] as MemoryType);
}

function refuse(name: string, problem: string | undefined): void {
  if (problem !== undefined) throw invalidField(name, problem);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}
