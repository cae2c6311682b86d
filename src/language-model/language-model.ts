/** What a language model does for the memory. It reads texts as data; whatever a text says, it changes only its own memory. */
import type { MemoryType } from '../domain/memory-type.js';
import type { ModelUsage } from '../domain/status.js';

export interface TypeJudgement {
  type: MemoryType;
  /** 0..1 */
  confidence: number;
}

export interface DatedText {
  /** ISO 8601. */
  date: string;
  text: string;
}

export interface LanguageModel {
  /** Provider and model, for people. */
  readonly description: string;
  readonly usage: Readonly<ModelUsage>;
  /** @throws MemoryError `unavailable` when the model cannot be asked or answers with nonsense */
  classify(content: string): Promise<TypeJudgement>;
  /**
   * Says the same in about `targetLength` characters.
   *
   * @throws MemoryError `unavailable` as `classify`
   */
  summarise(content: string, targetLength: number): Promise<string>;
  /**
   * Says in a sentence or two, of about `targetLength` characters, what texts have in common.
   *
   * @throws MemoryError `unavailable` as `classify`
   */
  describeGroup(texts: readonly DatedText[], targetLength: number): Promise<string>;
}
