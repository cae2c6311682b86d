/** Compares two texts: finds the words that both have, and the words that only one has. */

export interface DiffPart {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

/**
 * Maximum number of words compared in each text. The table of `commonLengths` grows with the product of both numbers of
 * words.
 */
const WORDS_MAX = 1_000;

/** The parts in reading order. Compares the first `WORDS_MAX` words one by one, and the rest of each text as a whole. */
export function diffWords(before: string, after: string): DiffPart[] {
  const [from, fromRest] = split(before);
  const [to, toRest] = split(after);
  const lengths = commonLengths(from, to);
  const parts: DiffPart[] = [];
  let i = 0;
  let j = 0;
  while (i < from.length || j < to.length) {
    if (i < from.length && from[i] === to[j]) {
      append(parts, 'same', from[i]);
      i++;
      j++;
    } else if (j >= to.length || (i < from.length && at(lengths, i + 1, j) >= at(lengths, i, j + 1))) {
      append(parts, 'removed', from[i++]);
    } else append(parts, 'added', to[j++]);
  }
  if (fromRest === toRest) append(parts, 'same', fromRest);
  else {
    append(parts, 'removed', fromRest);
    append(parts, 'added', toRest);
  }
  return parts;
}

function split(text: string): [words: string[], rest: string] {
  // Whitespace is a separate word, so that the last word of a text equals the same word in the middle of another text.
  const words = text.split(/(\s+)/).filter(word => word !== '');
  return [words.slice(0, WORDS_MAX), words.slice(WORDS_MAX).join('')];
}

function append(parts: DiffPart[], kind: DiffPart['kind'], text = ''): void {
  const last = parts.at(-1);
  if (text === '') return;
  if (last?.kind === kind) last.text += text;
  else parts.push({ kind, text });
}

/** For each pair of positions, the length of the longest common subsequence of the words from these positions on. */
function commonLengths(from: readonly string[], to: readonly string[]): Uint16Array[] {
  const rows = Array.from({ length: from.length + 1 }, () => new Uint16Array(to.length + 1));
  for (let i = from.length - 1; i >= 0; i--) {
    const row = rows[i] as Uint16Array;
    for (let j = to.length - 1; j >= 0; j--) {
      row[j] = from[i] === to[j] ? at(rows, i + 1, j + 1) + 1 : Math.max(at(rows, i + 1, j), at(rows, i, j + 1));
    }
  }
  return rows;
}

function at(rows: readonly Uint16Array[], i: number, j: number): number {
  return rows[i]?.[j] ?? 0;
}
