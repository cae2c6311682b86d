/**
 * Shorter wordings of a memory. A language model shortens contents that are too long for good memories
 * (docs/decisions.md, "Shortened contents"). The first sentence is the summary for lists without room for the whole
 * content.
 */
import { type Memory, type NewMemory, READ_LENGTH } from '../domain/memory.js';
import { characterCount } from '../domain/text/characters.js';
import type { LanguageModel } from '../language-model/language-model.js';
import { waitOutside } from '../places.js';

export interface Shortener {
  /**
   * Returns the memory with a shorter content and with the original content in its metadata, or the unchanged memory.
   * Never fails.
   */
  shorten(memory: NewMemory): Promise<NewMemory>;
}

/** Approximate length after shortening, in characters. */
const TARGET_LENGTH = 300;

export interface ShortenerParts {
  /** The language model. If undefined, contents stay unchanged. */
  model: Pick<LanguageModel, 'summarise'> | undefined;
  /** Content with more characters is shortened. */
  softLimit: number;
}

export function createShortener({ model, softLimit }: ShortenerParts): Shortener {
  return {
    shorten: async memory => {
      if (!model || characterCount(memory.content) <= softLimit) return memory;
      try {
        const content = await waitOutside(() => model.summarise(memory.content, TARGET_LENGTH));
        if (characterCount(content) >= characterCount(memory.content)) return memory;
        return { ...memory, content, metadata: { ...memory.metadata, original_content: memory.content } };
      } catch {
        // The model itself reports that it fails.
        return memory;
      }
    },
  };
}

/** The content before it was shortened. Undefined when the content was not shortened. */
export function originalOf({ metadata }: Pick<Memory, 'metadata'>): string | undefined {
  const { original_content } = metadata;
  return typeof original_content === 'string' ? original_content : undefined;
}

const SUMMARY_MAX_LENGTH = 240;
/** A full stop after an initial or a title, or before a word in lower case, does not end a sentence. */
const SENTENCE_END = /(?<!\b(?:\p{Lu}|Dr|Mr|Mrs|Ms|Prof|St|No))[.!?]["')\]]*(?=\s+[^\s\p{Ll}])|\n\s*\n|[。！？]/u;

/** @returns undefined when the text is not longer than its summary */
export function summaryOf(content: string): string | undefined {
  const text = content.trim();
  const beginning = text.slice(0, READ_LENGTH);
  const end = SENTENCE_END.exec(beginning);
  const sentence = (end ? beginning.slice(0, end.index + end[0].length) : beginning).replace(/\s+/g, ' ').trim();
  const summary = [...sentence].length <= SUMMARY_MAX_LENGTH ? sentence : shortened(sentence);
  return summary.length < text.length ? summary : undefined;
}

/** Cuts a text to the maximum length. If a word ends in the last quarter, cuts at the end of that word. */
function shortened(sentence: string): string {
  const cut = [...sentence].slice(0, SUMMARY_MAX_LENGTH - 1).join('');
  const space = cut.lastIndexOf(' ');
  return `${space > SUMMARY_MAX_LENGTH * 0.75 ? cut.slice(0, space) : cut}…`;
}
