/** Reads the examples of this folder, and completes the random parts, which are left out of the files. */
import { readFileSync } from 'node:fs';

/** The characters of each kind of random part. Scanners of repositories would report whole secrets in the files. */
const ALPHABETS: Readonly<Record<string, string>> = {
  a: 'aB3dE5fG7hJ9kL2mN4pQ6rS8tU1vW0xYzZ',
  e: 'abcdefghijklmnopqrstuvwxyz',
  l: 'aBcDeFgHiJkLmNoPqRsTuVwXyZ',
  u: 'A2B3C4D5E6F7G2H3J4K5M6N7',
  h: '3a18f6d4b2907e5c',
  d: '4917352806',
  b: 'aB3dE5+fG7hJ9/kL2mN4pQ6rS8tU1vW0xYzZ',
};
const PART = /\{([a-z])(\d+)\}/g;

/** Each example with the kind of texts that it belongs to. */
export function examplesOf(file: 'secrets.jsonl' | 'harmless.jsonl'): [of: string, text: string][] {
  const lines = readFileSync(new URL(file, import.meta.url), 'utf8')
    .trim()
    .split('\n');
  return lines.flatMap(line => {
    const { of, texts } = JSON.parse(line) as { of: string; texts: string[] };
    return texts.map((text): [string, string] => [of, completed(text)]);
  });
}

/** A text with its random parts, such as `glpat-{a20}`. */
export function completed(text: string): string {
  return text.replace(PART, (_, kind, length) => part(kind, Number(length)));
}

/** `c` is a name with a password, as in a header of basic authentication. */
function part(kind: string, length: number): string {
  if (kind === 'c') return Buffer.from('ann:kettle77-and-more-of-it').toString('base64').slice(0, length);
  const alphabet = ALPHABETS[kind] ?? '';
  return Array.from({ length }, (_, at) => alphabet[(at * 7 + 3) % alphabet.length]).join('');
}
