/** The text form of memories in resources and prompts. It is the same as in `recall_memory`. */
import type { View } from '../recall/present.js';
import type { ToolOutcome } from '../tool.js';

export const PLAIN_VIEW: View = { format: 'text', isExplained: false, usesSummaries: false };

/** Joins the text blocks of an outcome into one string. */
export function plainText({ text }: ToolOutcome): string {
  return [text].flat().join('\n\n');
}
