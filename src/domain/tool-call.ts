/** Types for counting the calls of MCP tools. */

/** `refused`: the call was invalid. `failed`: a store or a model was unavailable, or an internal error occurred. */
export type ToolOutcome = 'success' | 'refused' | 'failed';

/**
 * Called when a tool call begins. The returned function is called when the tool call ends. Returns undefined when tool
 * calls are not counted.
 */
export type ToolCallObserver = (tool: string) => ((outcome: ToolOutcome) => void) | undefined;
