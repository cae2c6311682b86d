/**
 * The type of a memory whose author stated none: by patterns at once, by a language model later
 * (docs/decisions.md, "Closed types").
 */
import { messageOf } from '../../domain/errors.js';
import type { Memory } from '../../domain/memory.js';
import { type MemoryType, STATED_TYPE_CONFIDENCE, UNCLASSIFIED } from '../../domain/memory-type.js';
import type { ClassifierStats } from '../../domain/status.js';
import type { LanguageModel } from '../../language-model/language-model.js';
import { classifyByPatterns } from './patterns.js';

export interface Classification {
  type: MemoryType;
  /** 0..1 */
  confidence: number;
}

export interface Classifier {
  readonly stats: Readonly<ClassifierStats>;
  /** What the words say; without any, Context with little confidence. */
  classifyNow(content: string): Classification;
  /** Whether Engraph found the type of a memory in its words. A type that a caller stated does not count. */
  hasFound(memory: Pick<Memory, 'content' | 'type' | 'confidence'>): boolean;
  /** What the language model says of a memory that the words could not classify; undefined when there is nothing to add. */
  classifyLater(memory: Pick<Memory, 'content' | 'type' | 'confidence'>): Promise<Classification | undefined>;
}

/** @param onFailure told when the model fails: the memory then stays as it is */
export function createClassifier(
  model: Pick<LanguageModel, 'classify'> | undefined,
  onFailure: (error: unknown) => void,
): Classifier {
  const stats: ClassifierStats = {
    patternClassifications: 0,
    modelAttempts: 0,
    modelSuccesses: 0,
    fallbacks: 0,
    lastError: null,
  };
  return {
    stats,
    classifyNow: content => {
      const found = classifyByPatterns(content);
      if (found) stats.patternClassifications += 1;
      return found ?? UNCLASSIFIED;
    },
    hasFound: ({ content, type, confidence }) => {
      if (confidence === STATED_TYPE_CONFIDENCE) return false;
      const found = classifyByPatterns(content) ?? UNCLASSIFIED;
      return found.type === type && found.confidence === confidence;
    },
    classifyLater: async ({ content, type, confidence }) => {
      if (type !== UNCLASSIFIED.type || confidence !== UNCLASSIFIED.confidence) return undefined;
      if (!model) {
        stats.fallbacks += 1;
        return undefined;
      }
      stats.modelAttempts += 1;
      try {
        const judgement = await model.classify(content);
        stats.modelSuccesses += 1;
        return judgement;
      } catch (error) {
        stats.fallbacks += 1;
        stats.lastError = messageOf(error);
        onFailure(error);
        return undefined;
      }
    },
  };
}
