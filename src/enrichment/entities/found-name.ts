import type { Entity } from '../../domain/entity.js';

/** A name with its position. */
export interface FoundName extends Entity {
  at: number;
  end: number;
  /** Named explicitly. If the same name was found as two kinds, this one decides. */
  isCertain: boolean;
}

/** A name among the words of a sentence. */
export interface NameSpan {
  name: FoundName;
  /** Index after its last word. */
  next: number;
}
