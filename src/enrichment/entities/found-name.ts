import type { Entity } from '../../domain/entity.js';

/** A name where it stands. */
export interface FoundName extends Entity {
  at: number;
  end: number;
  /** Named so outright: decides where the same name was found as two kinds. */
  isCertain: boolean;
}

/** A name among the words of a sentence. */
export interface NameSpan {
  name: FoundName;
  /** Index behind its last word. */
  next: number;
}
