/** Defines a prompt independently of any MCP SDK: its description, its arguments and the text that it renders. */
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
  /** Whether the prompt asks the assistant to store something. */
  isWriting: boolean;
  /** @throws MemoryError when the caller should learn the cause */
  write(args: Readonly<Record<string, string>>, context: ReadContext): Promise<string>;
}

export const TAGS_ARGUMENT: PromptArgument = {
  name: 'tags',
  description: 'Tags, separated by commas',
  required: false,
};

/** Splits the comma-separated text of `TAGS_ARGUMENT` into tags. */
export function tagsIn({ tags = '' }: Readonly<Record<string, string>>): string[] {
  return tags
    .split(',')
    .map(tag => tag.trim())
    .filter(Boolean);
}
