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
  /** Why the model is not asked at present, as a text that any user may read. Undefined while it answers. */
  readonly lastFailure: string | undefined;
  /** @throws MemoryError `unavailable` when the model cannot be reached, `invalid` when its answer cannot be used */
  classify(content: string): Promise<TypeJudgement>;
  /**
   * Shortens a text to about `targetLength` characters. A caller waits, so this takes at most three seconds, and no time
   * while the model does not answer.
   *
   * @throws MemoryError `unavailable` when the model cannot be reached or its answer cannot be used
   */
  summarise(content: string, targetLength: number): Promise<string>;
  /**
   * Describes the common subject of texts in one or two sentences of about `targetLength` characters.
   *
   * @throws MemoryError `unavailable`, like `summarise`
   */
  describeGroup(texts: readonly DatedText[], targetLength: number): Promise<string>;
  /** Ends the questions under way. Later questions fail. A second call has no effect. */
  close(): Promise<void>;
}
