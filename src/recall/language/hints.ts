/** Context hints: memories that fit the work of the caller get a higher score. Hints never filter. */
import type { MemoryType } from '../../domain/memory.js';
import type { ContextHints } from '../../domain/recall.js';
import { tagKeys } from '../../domain/tags.js';
import { queryTerms } from '../../domain/text/terms.js';
import { type AnalyzedMemory, hasStem, hasTagStem, wordHash } from '../score/text.js';
import {
  type LanguageMention,
  languageMention,
  languageOfName,
  languageOfPath,
  mentionsLanguage,
} from './languages.js';

/**
 * Bonuses are added to the total score without a weight. One of these bonuses decides between memories with similar
 * scores, but is too small to lift an unrelated memory above a memory that matches well.
 */
const TAG_BONUS = 0.45;
const TYPE_BONUS = 0.25;
const LANGUAGE_BONUS = 0.25;
const LANGUAGE_STYLE_BONUS = 0.6;
const CONTEXT_BONUS = 0.45;
/**
 * Bonus for a memory whose id the caller names. It exceeds almost any other score, because the caller wants to see the
 * memory.
 */
const PRIORITY_BONUS = 5;

/** Types whose memories contain rules for writing code. They get a higher bonus if they mention the language in use. */
const STYLE_TYPES: ReadonlySet<MemoryType> = new Set(['Style', 'Preference']);

export interface HintProfile {
  /** Hashes of the terms of the context. */
  contextTerms: readonly number[];
  tagKeys: readonly string[];
  types: ReadonlySet<MemoryType>;
  ids: ReadonlySet<string>;
  /** The patterns by which memories mention the language in use. Undefined when the language is unknown. */
  language: LanguageMention | undefined;
}

export function readHints(hints: ContextHints | undefined): HintProfile | undefined {
  if (!hints) return undefined;
  const language = languageOfName(hints.language ?? '') ?? languageOfPath(hints.active_path ?? '');
  return {
    contextTerms: queryTerms(hints.context ?? '').map(wordHash),
    tagKeys: tagKeys(hints.context_tags),
    types: new Set(hints.context_types),
    ids: new Set(hints.priority_ids),
    language: language && languageMention(language),
  };
}

/** The sum of the bonuses of a memory, 0 or more. */
export function contextBonus(hints: HintProfile, { memory, text }: Pick<AnalyzedMemory, 'memory' | 'text'>): number {
  let bonus = 0;
  if (hints.ids.has(memory.id)) bonus += PRIORITY_BONUS;
  if (hints.tagKeys.some(key => memory.tag_prefixes.includes(key))) bonus += TAG_BONUS;
  if (hints.types.has(memory.type)) bonus += TYPE_BONUS;
  if (hints.language && mentionsLanguage(hints.language, memory.content, memory.tag_prefixes)) {
    bonus += STYLE_TYPES.has(memory.type) ? LANGUAGE_STYLE_BONUS : LANGUAGE_BONUS;
  }
  return bonus + CONTEXT_BONUS * shareOf(hints.contextTerms, term => hasStem(text, term) || hasTagStem(text, term));
}

function shareOf<Item>(items: readonly Item[], has: (item: Item) => boolean): number {
  return items.length === 0 ? 0 : items.filter(has).length / items.length;
}
