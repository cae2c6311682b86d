/**
 * The tasks of a language model for the memory. The model is told to read texts as data. An instruction within a text
 * can change only the answer to a question that contains the text.
 */
import type { MemoryType } from '../domain/memory-type.js';
import type { ModelUsage } from '../domain/status.js';

export interface TypeJudgement {
  type: MemoryType;
  /** 0..1 */
  confidence: number;
}

export interface DatedText {
  /** Date in ISO 8601. */
  date: string;
  text: string;
}

export interface LanguageModel {
  /** Provider and model, for people to read. */
  readonly description: string;
  readonly usage: Readonly<ModelUsage>;
  /** @throws MemoryError `unavailable` when the model cannot be reached or its answer is unusable */
  classify(content: string): Promise<TypeJudgement>;
  /**
   * Shortens a text to about `targetLength` characters.
   *
   * @throws MemoryError `unavailable`, like `classify`
   */
  summarise(content: string, targetLength: number): Promise<string>;
  /**
   * Describes the common subject of texts in one or two sentences of about `targetLength` characters.
   *
   * @throws MemoryError `unavailable`, like `classify`
   */
  describeGroup(texts: readonly DatedText[], targetLength: number): Promise<string>;
}
