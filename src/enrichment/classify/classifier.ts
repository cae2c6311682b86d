/**
 * Classifies memories without a given type. Patterns give a type at once, and a language model may give one later
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
  /** The type that the words of a memory suggest. Without a cue the type is Context with low confidence. */
  classifyNow(content: string): Classification;
  /** Whether the type of a memory comes from patterns in its words, and not from a caller or the language model. */
  hasFound(memory: Pick<Memory, 'content' | 'type' | 'confidence'>): boolean;
  /** Whether `classifyLater` asks a language model about the memory. */
  asksModel(memory: Pick<Memory, 'type' | 'confidence'>): boolean;
  /**
   * Resolves to the language model's type for a memory that matched no pattern. Resolves to undefined for any other
   * memory, and when there is no model or the model fails.
   */
  classifyLater(memory: Pick<Memory, 'content' | 'type' | 'confidence'>): Promise<Classification | undefined>;
}

/** @param onFailure called when the model fails; the memory then stays unchanged */
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
    asksModel: memory => model !== undefined && isUnclassified(memory),
    classifyLater: async memory => {
      if (!isUnclassified(memory)) return undefined;
      if (!model) {
        stats.fallbacks += 1;
        return undefined;
      }
      stats.modelAttempts += 1;
      try {
        const judgement = await model.classify(memory.content);
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

function isUnclassified({ type, confidence }: Pick<Memory, 'type' | 'confidence'>): boolean {
  return type === UNCLASSIFIED.type && confidence === UNCLASSIFIED.confidence;
}
