/** Chooses how much of a memory an answer shows: its content, the beginning of its content, or its summary. */
import { beginningOf, characterCount } from '../../domain/text/length.js';
import { takeTokens } from '../../domain/tokens.js';

/** The shown text. The field names are those of AutoMem. */
export interface Excerpt {
  /** Undefined when the summary is shown instead. */
  content?: string;
  summary?: string;
  content_truncated?: true;
  /** Length of the whole content, in characters. Set when the content is not shown in full. */
  content_chars?: number;
}

export interface ExcerptRules {
  /** Shows the summary instead of the content when the memory has one. */
  usesSummary: boolean;
  /** Shows the whole content, however long it is. */
  isWhole: boolean;
  /** Maximum length of the content, in tokens. */
  maxTokens?: number | undefined;
}

/**
 * Maximum length of a preview, in characters. With the default settings, content that a tool has stored fits. Content
 * stored over REST may be longer.
 */
const PREVIEW_LENGTH = 2000;

export function excerptOf(memory: { content: string; summary?: string | undefined }, rules: ExcerptRules): Excerpt {
  const { content, summary } = memory;
  if (rules.usesSummary && summary !== undefined) return { summary, content_chars: characterCount(content) };
  const preview = rules.isWhole ? content : beginningOf(content, PREVIEW_LENGTH);
  const beginning = rules.maxTokens === undefined ? preview : takeTokens(preview, rules.maxTokens);
  if (beginning === content) return { content };
  return { content: beginning, content_truncated: true, content_chars: characterCount(content) };
}

/** Renders the excerpt for a reader. Says how many characters are missing, or how many a summary replaces. */
export function excerptText({ content, summary, content_chars: length = 0 }: Excerpt): string {
  const where = 'recall_memory with its memory_id';
  if (summary !== undefined) return `${summary} (summary of ${length} characters: ${where})`;
  const hidden = length - characterCount(content ?? '');
  return hidden <= 0 ? (content ?? '') : `${content}… (${hidden} more characters: ${where})`;
}
