/**
 * Classifies memories without a given type. Patterns give a type at once. A language model or the nearest labelled
 * examples may give one later (docs/decisions.md, "Closed types").
 */
import { MemoryError, messageOf } from '../../domain/errors.js';
import type { Memory } from '../../domain/memory.js';
import { type MemoryType, STATED_TYPE_CONFIDENCE, UNCLASSIFIED } from '../../domain/memory-type.js';
import type { ClassifierStats } from '../../domain/status.js';
import type { LanguageModel } from '../../language-model/language-model.js';
import type { NearestType } from './nearest-type.js';
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
  /**
   * Whether the type of a memory comes from patterns in its words or from examples, and not from a caller or the
   * language model.
   */
  hasFound(memory: Pick<Memory, 'content' | 'type' | 'confidence'>): boolean;
  /** Whether `classifyLater` asks a language model about the memory. */
  asksModel(memory: Pick<Memory, 'type' | 'confidence'>): boolean;
  /** Whether `classifyLater` compares the vector of the memory with examples. */
  comparesVector(memory: Pick<Memory, 'type' | 'confidence' | 'embedded_by'>): boolean;
  /**
   * Resolves to the type of a memory that matched no pattern: the type that the language model says, or else that of
   * the nearest examples. The model is asked even if examples gave a type before. Resolves to undefined for any other memory, and when neither finds a type. Never rejects.
   *
   * @param vector of the memory, if `comparesVector`
   */
  classifyLater(
    memory: Pick<Memory, 'id' | 'content' | 'type' | 'confidence'>,
    vector: Float32Array | undefined,
  ): Promise<Classification | undefined>;
  /** Returns the ids of memories about which the model could not be asked, and forgets them. */
  takeMissed(): string[];
}

export interface ClassifierParts {
  model?: Pick<LanguageModel, 'classify'> | undefined;
  nearest?: NearestType | undefined;
  /** Called when the embedder of the examples fails; the memory then stays unchanged. */
  onFailure(error: unknown): void;
}

/**
 * Confidence of a type from examples. It is lower than that of any cue, and too low for a `Pattern` of enrichment. Cues
 * never have this confidence, so it also shows where the type comes from.
 */
const EXAMPLES_CONFIDENCE = 0.45;

/** Maximum number of memories that are asked about again after a failure of the model. */
const MISSED_MAX = 10_000;

export function createClassifier({ model, nearest, onFailure }: ClassifierParts): Classifier {
  const stats: ClassifierStats = {
    patternClassifications: 0,
    modelAttempts: 0,
    modelSuccesses: 0,
    fallbacks: 0,
    lastError: null,
  };
  const missed = new Set<string>();
  const askModel = async ({ id, content }: Pick<Memory, 'id' | 'content'>): Promise<Classification | undefined> => {
    if (!model) return undefined;
    stats.modelAttempts += 1;
    try {
      const judgement = await model.classify(content);
      stats.modelSuccesses += 1;
      return judgement;
    } catch (error) {
      // The model itself reports that it fails.
      stats.lastError = messageOf(error);
      const isAway = error instanceof MemoryError && error.code === 'unavailable';
      if (isAway && missed.size < MISSED_MAX) missed.add(id);
      return undefined;
    }
  };
  const compare = async (vector: Float32Array | undefined): Promise<Classification | undefined> => {
    if (!nearest || !vector) return undefined;
    try {
      const type = await nearest.typeOf(vector);
      return type && type !== UNCLASSIFIED.type ? { type, confidence: EXAMPLES_CONFIDENCE } : undefined;
    } catch (error) {
      stats.lastError = messageOf(error);
      onFailure(error);
      return undefined;
    }
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
      if (confidence === EXAMPLES_CONFIDENCE) return true;
      const found = classifyByPatterns(content) ?? UNCLASSIFIED;
      return found.type === type && found.confidence === confidence;
    },
    asksModel: memory => model !== undefined && isUnclear(memory),
    comparesVector: memory => isUnclassified(memory) && nearest !== undefined && memory.embedded_by === nearest.model,
    classifyLater: async (memory, vector) => {
      if (!isUnclear(memory)) return undefined;
      const found = (await askModel(memory)) ?? (await compare(vector));
      if (!found && isUnclassified(memory)) stats.fallbacks += 1;
      return found;
    },
    takeMissed: () => {
      const ids = [...missed];
      missed.clear();
      return ids;
    },
  };
}

/** Whether a language model may know the type better. */
function isUnclear(memory: Pick<Memory, 'type' | 'confidence'>): boolean {
  return isUnclassified(memory) || memory.confidence === EXAMPLES_CONFIDENCE;
}

function isUnclassified({ type, confidence }: Pick<Memory, 'type' | 'confidence'>): boolean {
  return type === UNCLASSIFIED.type && confidence === UNCLASSIFIED.confidence;
}
