/**
 * Contents that are too long to be good memories, said shorter by a language model
 * (docs/decisions.md, "Shortened contents").
 */
import type { Memory, NewMemory } from '../domain/memory.js';
import type { SummarySettings } from '../domain/settings.js';
import { characterCount } from '../domain/text.js';
import type { LanguageModel } from '../language-model/language-model.js';

export interface Shortener {
  /** The memory with a shorter content and the original in its metadata, or as it came. Never fails. */
  shorten(memory: NewMemory): Promise<NewMemory>;
}

export interface ShortenerParts {
  /** Absent: contents stay as they are. */
  model: Pick<LanguageModel, 'summarise'> | undefined;
  /** Characters beyond which a content is shortened. */
  softLimit: number;
  settings: SummarySettings;
  /** Told when the model fails: the content then stays as it is. */
  onFailure(error: unknown): void;
}

export function createShortener({ model, softLimit, settings, onFailure }: ShortenerParts): Shortener {
  return {
    shorten: async memory => {
      if (!model || !settings.isEnabled || characterCount(memory.content) <= softLimit) return memory;
      try {
        const content = await model.summarise(memory.content, settings.targetLength);
        if (characterCount(content) >= characterCount(memory.content)) return memory;
        return { ...memory, content, metadata: { ...memory.metadata, original_content: memory.content } };
      } catch (error) {
        onFailure(error);
        return memory;
      }
    },
  };
}

/** What the content was before it was shortened; undefined when it was not. */
export function originalOf({ metadata }: Pick<Memory, 'metadata'>): string | undefined {
  const { original_content } = metadata;
  return typeof original_content === 'string' ? original_content : undefined;
}
