/** What a prompt is, independent of any MCP SDK: words for the user, arguments, and the text that it makes of them. */
import type { ReadContext } from '../resources/resource.js';

export interface PromptArgument {
  name: string;
  description: string;
  required: boolean;
}

export interface Prompt {
  name: string;
  title: string;
  description: string;
  arguments: readonly PromptArgument[];
  /** Asks the assistant to store something. */
  isWriting: boolean;
  /** @throws MemoryError or EngraphError for what the caller should know */
  write(args: Readonly<Record<string, string>>, context: ReadContext): Promise<string>;
}

/** Tags of a text with commas. */
export const TAGS_ARGUMENT: PromptArgument = {
  name: 'tags',
  description: 'Tags, separated by commas',
  required: false,
};

export function tagsIn({ tags = '' }: Readonly<Record<string, string>>): string[] {
  return tags
    .split(',')
    .map(tag => tag.trim())
    .filter(Boolean);
}
