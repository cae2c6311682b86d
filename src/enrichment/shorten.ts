/**
 * Shortens contents that are too long for good memories, with a language model
 * (docs/decisions.md, "Shortened contents").
 */
import type { Memory, NewMemory } from '../domain/memory.js';
import type { SummarySettings } from '../domain/settings.js';
import { characterCount } from '../domain/text/length.js';
import type { LanguageModel } from '../language-model/language-model.js';

export interface Shortener {
  /**
   * Returns the memory with a shorter content and with the original content in its metadata, or the unchanged memory.
   * Never fails.
   */
  shorten(memory: NewMemory): Promise<NewMemory>;
}

export interface ShortenerParts {
  /** The language model. If undefined, contents stay unchanged. */
  model: Pick<LanguageModel, 'summarise'> | undefined;
  /** Content with more characters is shortened. */
  softLimit: number;
  settings: SummarySettings;
}

export function createShortener({ model, softLimit, settings }: ShortenerParts): Shortener {
  return {
    shorten: async memory => {
      if (!model || !settings.isEnabled || characterCount(memory.content) <= softLimit) return memory;
      try {
        const content = await model.summarise(memory.content, settings.targetLength);
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
