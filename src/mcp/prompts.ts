/** Lists all prompts, and renders a prompt with the arguments of the user. */
import type { GetPromptResult, ListPromptsResult } from '@modelcontextprotocol/sdk/types.js';
import { visible } from '../domain/visible-text.js';
import type { Prompt } from './prompts/prompt.js';
import { recallContext } from './prompts/recall-context.js';
import { rememberSession } from './prompts/remember-session.js';
import { ProtocolError } from './protocol-failure.js';
import type { ReadContext } from './resources/resource.js';

/** A read-only memory offers no prompts that store. */
export function createPrompts(isReadOnly: boolean): readonly Prompt[] {
  return [recallContext, rememberSession].filter(({ isWriting }) => !(isReadOnly && isWriting));
}

export function listPrompts(prompts: readonly Prompt[]): ListPromptsResult {
  const list = prompts.map(({ name, title, description, arguments: args }) => {
    return { name, title, description, arguments: [...args] };
  });
  return { prompts: list };
}

/** @throws ProtocolError when the prompt does not exist or an argument is missing or unknown */
export async function getPrompt(
  prompt: Prompt,
  args: Readonly<Record<string, string>>,
  context: ReadContext,
): Promise<GetPromptResult> {
  const known = new Set(prompt.arguments.map(({ name }) => name));
  const unknown = Object.keys(args).find(name => !known.has(name));
  if (unknown !== undefined) {
    throw ProtocolError.invalidParams(`The prompt '${prompt.name}' does not have an argument '${unknown}'`);
  }
  for (const { name, required } of prompt.arguments) {
    if (required && !args[name]?.trim()) throw ProtocolError.invalidParams(`'${name}' is required`);
  }
  const text = visible(await prompt.write(args, context));
  return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
}
