/** Memories as resources and prompts show them: in the words of `recall_memory`. */
import type { View } from '../recall/present.js';
import type { ToolOutcome } from '../tool.js';

export const PLAIN_VIEW: View = { format: 'text', isExplained: false, usesSummaries: false };

/** Its text in one piece. */
export function plainText({ text }: ToolOutcome): string {
  return [text].flat().join('\n\n');
}
