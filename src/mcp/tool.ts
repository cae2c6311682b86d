/** What a tool is, independent of any MCP SDK: words for the assistant, schemas, hints and a handler. */
import type { z } from 'zod';
import { type RawInput, readObject } from '../api/input.js';
import type { EngraphClient } from '../client/client.js';
import type { InputLimits } from '../domain/input-limits.js';
import type { ContentTiers } from '../domain/settings.js';

/** What every handler may use. */
export interface ToolContext {
  memory: EngraphClient;
  limits: InputLimits;
  content: ContentTiers;
  /** Tells the client how far a long call has got. Absent where it has not asked. */
  reportProgress?: ProgressReporter;
}

export type ProgressReporter = (done: number, total: number) => Promise<void>;

/** Hints to the client about what a call may do. All four are always stated. */
export interface ToolAnnotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

/** A success: what the model reads, and the same for programs. */
export interface ToolOutcome {
  /** One block, or several. */
  text: string | readonly string[];
  structured: object;
}

export interface Tool {
  name: string;
  title: string;
  description: string;
  annotations: ToolAnnotations;
  /** Asks clients that load tools on demand to have this one at hand from the start. */
  alwaysLoad: boolean;
  /** Strict: an unknown key is refused, so that a misspelt parameter is never silently without effect. */
  input: z.ZodObject;
  /** The structured content is parsed with it before it is sent. */
  output: z.ZodObject;
  /** @throws MemoryError for what the caller should know; anything else is a fault and stays hidden */
  run(args: RawInput, context: ToolContext): Promise<ToolOutcome>;
}

interface ToolDefinition<Input extends z.ZodObject> extends Omit<Tool, 'input' | 'run'> {
  input: Input;
  handle(args: z.output<Input>, context: ToolContext): Promise<ToolOutcome>;
}

/** A tool whose arguments are read before its handler sees them. */
export function defineTool<Input extends z.ZodObject>({ handle, ...tool }: ToolDefinition<Input>): Tool {
  return { ...tool, run: async (args, context) => handle(readObject(tool.input, args, 'The arguments'), context) };
}
