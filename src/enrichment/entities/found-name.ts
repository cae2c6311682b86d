import type { Entity } from '../../domain/entity.js';

/** A name with its position. */
export interface FoundName extends Entity {
  at: number;
  end: number;
  /** Whether the text names the entity explicitly. If its mentions differ in kind, the explicit mention decides. */
  isCertain: boolean;
}

/** A name among the words of a sentence. */
export interface NameSpan {
  name: FoundName;
  /** Index after the last word of the name. */
  next: number;
}
