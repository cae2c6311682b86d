/** What is told of the calls of tools to somebody who counts them. */

/** `refused`: there was something wrong with the call. `failed`: a store or a model was away, or the fault was ours. */
export type ToolOutcome = 'success' | 'refused' | 'failed';

/** Called when a call of the tool begins; what it returns, when it ends. Returns nothing where nobody counts. */
export type ToolCallObserver = (tool: string) => ((outcome: ToolOutcome) => void) | undefined;
