/**
 * Shortens contents that are too long for good memories, with a language model
 * (docs/decisions.md, "Shortened contents").
 */
import type { Memory, NewMemory } from '../domain/memory.js';
import { characterCount } from '../domain/text/length.js';
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
