/**
 * Classifies memories without a given type. Patterns give a type at once. A language model or the nearest labelled
 * examples may give one later (docs/decisions.md, "Closed types").
 */

import { MemoryError, messageOf } from '../../domain/errors.js';
import {
  MEMORY_TYPES,
  type Memory,
  type MemoryType,
  STATED_TYPE_CONFIDENCE,
  UNCLASSIFIED,
} from '../../domain/memory.js';
import type { ClassifierStats } from '../../domain/reports.js';
import { cosineSimilarity } from '../../domain/vectors.js';
import type { Embedder } from '../../embedding/embedder.js';
import type { LanguageModel } from '../../language-model/language-model.js';
import { classifyByPatterns } from './cues.js';
import EXAMPLES from './examples.json' with { type: 'json' };

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

interface NearestType {
  /** Model of the vectors that can be compared with the examples. */
  readonly model: string;
  /**
   * Embeds the examples on the first call, and again after a failure.
   *
   * @returns undefined when no type is clearly nearer than all others
   * @throws what the embedder throws
   */
  typeOf(vector: Float32Array): Promise<MemoryType | undefined>;
}

/**
 * By how much a type must be nearer than any other, as a difference of cosines. With all-MiniLM-L6-v2, each example was
 * compared with all others: at this lead, 4 % wrongly count as a decision or a preference, and 15 % without a lead.
 */
const LEAD_MIN = 0.08;

/**
 * Finds the type whose labelled examples have the vectors nearest to that of a memory. Two texts about the same thing
 * have near vectors, whatever their types are, so a single near example says little. The mean vector of many examples
 * about different things says what the examples of a type have in common.
 *
 * @returns undefined for an embedder that compares words, because words have been read already
 */
export function createNearestType(
  embedder: Pick<Embedder, 'model' | 'understandsMeaning' | 'embed'>,
): NearestType | undefined {
  if (!embedder.understandsMeaning) return undefined;
  let examples: Promise<Examples> | undefined;
  return {
    model: embedder.model,
    typeOf: async vector => {
      examples ??= embedExamples(embedder);
      try {
        return nearest(vector, await examples);
      } catch (error) {
        examples = undefined;
        throw error;
      }
    },
  };
}

interface Examples {
  /** Mean of the directions of all types, which contains what all notes have in common. */
  center: Float32Array;
  /** Direction of each type from the center. */
  directions: readonly { type: MemoryType; direction: Float32Array }[];
}

/** Embeds one type at a time, so that texts of other work need not wait for all examples. */
async function embedExamples(embedder: Pick<Embedder, 'embed'>): Promise<Examples> {
  const means: { type: MemoryType; mean: Float32Array }[] = [];
  for (const type of MEMORY_TYPES) {
    means.push({ type, mean: meanOf(await embedder.embed(EXAMPLES[type], 'document')) });
  }
  // Each type counts once, however many examples it has.
  const center = meanOf(means.map(({ mean }) => mean));
  return { center, directions: means.map(({ type, mean }) => ({ type, direction: difference(mean, center) })) };
}

function nearest(vector: Float32Array, { center, directions }: Examples): MemoryType | undefined {
  const direction = difference(vector, center);
  const [first, second] = directions
    .map(each => ({ type: each.type, similarity: cosineSimilarity(each.direction, direction) }))
    .sort((a, b) => b.similarity - a.similarity);
  if (!first || !second) return undefined;
  return first.similarity - second.similarity >= LEAD_MIN ? first.type : undefined;
}

function meanOf(vectors: readonly Float32Array[]): Float32Array {
  const mean = new Float32Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) {
    for (let index = 0; index < mean.length; index++) {
      mean[index] = (mean[index] as number) + (vector[index] ?? 0) / vectors.length;
    }
  }
  return mean;
}

/** The stored vectors of memories may be longer than those of the embedder, padded with zeros. */
function difference(vector: Float32Array, center: Float32Array): Float32Array {
  return center.map((value, index) => (vector[index] ?? 0) - value);
}
