/** The format of the labelled sentences for classification by words, and the measurements on them. */
import { readFileSync } from 'node:fs';
import { MEMORY_TYPES, type MemoryType } from '../../src/domain/memory-type.js';

/** `none` means that no word is a cue. Then a language model is asked, or the memory stays unclassified. */
export type Label = MemoryType | 'none';

export interface LabelledSentence {
  text: string;
  label: Label;
}

const LABELS: readonly Label[] = [...MEMORY_TYPES, 'none'];

/** Reads lines of the form `text => label`. Empty lines and lines that start with `#` are ignored. */
export function parseSentences(lines: string): LabelledSentence[] {
  return lines
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#'))
    .map(line => {
      const [text = '', name] = line.split(' => ');
      const label = LABELS.find(one => one === name);
      if (label === undefined) throw new Error(`no label: ${line}`);
      return { text, label };
    });
}

export interface Outcome {
  /** Share of all sentences that got the right label. */
  accuracy: number;
  /** Recall and precision of each label. */
  byLabel: Record<string, { precision: number; recall: number }>;
}

export function measureTypes(classify: (text: string) => Label, set: readonly LabelledSentence[]): Outcome {
  const results = set.map(({ text, label }) => ({ label, got: classify(text) }));
  const share = (part: number, whole: number) => (whole === 0 ? 1 : part / whole);
  const byLabel = Object.fromEntries(
    LABELS.map(label => {
      const labelled = results.filter(result => result.label === label);
      const got = results.filter(result => result.got === label);
      const right = got.filter(result => result.label === label).length;
      return [label, { precision: share(right, got.length), recall: share(right, labelled.length) }];
    }),
  );
  return { accuracy: share(results.filter(({ label, got }) => label === got).length, results.length), byLabel };
}

const read = (name: string) => parseSentences(readFileSync(`tests/golden/${name}.txt`, 'utf8'));

/** The cues were tuned on this set only. */
export const DEVELOPMENT_TYPES = read('classification-development');
export const HELD_OUT_TYPES = read('classification-held-out');
