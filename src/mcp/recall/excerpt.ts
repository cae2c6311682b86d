/** How much of a memory an answer shows: its content, the beginning of it, or its summary. */
import { beginningOf, characterCount } from '../../domain/text.js';
import { takeTokens } from '../../domain/tokens.js';

/** What is shown; the names are AutoMem's. */
export interface Excerpt {
  /** Absent where the summary stands for it. */
  content?: string;
  summary?: string;
  content_truncated?: true;
  /** Characters of the whole, where not all of it is shown. */
  content_chars?: number;
}

export interface ExcerptRules {
  /** Whether the summary of a memory that has one stands for its content. */
  usesSummary: boolean;
  /** Shows the content whole, at any length. */
  isWhole: boolean;
  /** Most tokens of a content. */
  maxTokens?: number | undefined;
}

/** What this tool layer stores fits; longer texts come over REST. */
const PREVIEW_LENGTH = 2000;

export function excerptOf(memory: { content: string; summary?: string | undefined }, rules: ExcerptRules): Excerpt {
  const { content, summary } = memory;
  if (rules.usesSummary && summary !== undefined) return { summary, content_chars: characterCount(content) };
  const preview = rules.isWhole ? content : beginningOf(content, PREVIEW_LENGTH);
  const beginning = rules.maxTokens === undefined ? preview : takeTokens(preview, rules.maxTokens);
  if (beginning === content) return { content };
  return { content: beginning, content_truncated: true, content_chars: characterCount(content) };
}

/** The excerpt as a person reads it, with how much more there is. */
export function excerptText({ content, summary, content_chars: length = 0 }: Excerpt): string {
  const where = 'recall_memory with its memory_id';
  if (summary !== undefined) return `${summary} (summary of ${length} characters: ${where})`;
  const hidden = length - characterCount(content ?? '');
  return hidden <= 0 ? (content ?? '') : `${content}… (${hidden} more characters: ${where})`;
}
