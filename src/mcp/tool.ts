/** Defines a tool independently of any MCP SDK: its description, schemas, hints and handler. */
import type { z } from 'zod';
import { type RawInput, readObject } from '../api/input.js';
import type { EngraphClient } from '../client/client.js';
import type { InputLimits } from '../domain/input.js';
import type { ContentTiers } from '../domain/settings.js';
import type { NamedProject } from '../domain/tags.js';

/** The dependencies that every handler may use. */
export interface ToolContext {
  memory: EngraphClient;
  limits: InputLimits;
  content: ContentTiers;
  /** Finds the project in which the client works. Undefined if it cannot be known. */
  findProject?: () => Promise<NamedProject | undefined>;
  /** Reports the progress of a long call to the client. Undefined when the client has not asked for progress. */
  reportProgress?: ProgressReporter;
}

export type ProgressReporter = (done: number, total: number) => Promise<void>;

/** Hints to the client about the effects of a call. Every tool sets all four. */
export interface ToolAnnotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

/** The result of a successful call: text for the model, and the same data for programs. */
export interface ToolOutcome {
  /** One or more text blocks. */
  text: string | readonly string[];
  structured: object;
}

export interface Tool {
  name: string;
  title: string;
  description: string;
  annotations: ToolAnnotations;
  /** Asks clients that load tools on demand to load this tool at the start. */
  alwaysLoad: boolean;
  /** Hosts that render MCP Apps show the results of this tool in the view of `view.ts`. */
  hasView?: true;
  /** A strict schema. It refuses unknown keys, so that a misspelt parameter causes an error. */
  input: z.ZodObject;
  /**
   * Parameters that are accepted but not listed, because only programs send them. Models read the list of tools with
   * every request, so the list must be short.
   */
  unlisted?: readonly string[];
  /** Describes the structured content. Clients check the content against this schema, and this process does not. */
  output: z.ZodObject;
  /** @throws MemoryError for each failure whose cause may be reported to the client; other errors stay hidden */
  run(args: RawInput, context: ToolContext): Promise<ToolOutcome>;
}

interface ToolDefinition<Input extends z.ZodObject> extends Omit<Tool, 'input' | 'run'> {
  input: Input;
  handle(args: z.output<Input>, context: ToolContext): Promise<ToolOutcome>;
}

/** Defines a tool whose arguments are parsed before the handler receives them. */
export function defineTool<Input extends z.ZodObject>({ handle, ...tool }: ToolDefinition<Input>): Tool {
  return { ...tool, run: async (args, context) => handle(readObject(tool.input, args, 'The arguments'), context) };
}
