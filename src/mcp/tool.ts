/** What a tool is, independent of any MCP SDK: words for the assistant, schemas, hints and a handler. */
import type { z } from 'zod';
import type { ContentTiers } from '../domain/settings.js';
import type { Engine } from '../engine/engine.js';

/** An object schema of any strictness; the top of a tool's input and output is always an object. */
export type ObjectSchema = z.ZodObject<z.ZodRawShape, z.core.$ZodObjectConfig>;

/** What every handler may use. */
export interface ToolContext {
  engine: Engine;
  content: ContentTiers;
}

/** Hints to the client about what a call may do. All four are always stated. */
export interface ToolAnnotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

/** A success: what the model reads, and the same for programs. */
export interface ToolOutcome {
  text: string;
  structured: object;
}

export interface Tool<Input extends ObjectSchema = ObjectSchema> {
  name: string;
  title: string;
  description: string;
  annotations: ToolAnnotations;
  /** Asks clients that load tools on demand to have this one at hand from the start. */
  alwaysLoad: boolean;
  /** Strict: an unknown key is refused, so that a misspelt parameter is never silently without effect. */
  input: Input;
  /** The structured content is parsed with it before it is sent. */
  output: ObjectSchema;
  /** @throws MemoryError for what the caller should know; anything else is a fault and stays hidden */
  handle(args: z.output<Input>, context: ToolContext): Promise<ToolOutcome>;
}

/** Gives a handler the type of its tool's input. */
export function defineTool<Input extends ObjectSchema>(tool: Tool<Input>): Tool<Input> {
  return tool;
}
