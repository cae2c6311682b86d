/**
 * Hooks of hosts that call our tool `hook_event`. Claude Code and Codex read the same form (compared with the documentation of
 * both on 2026-11-23).
 */
import type { JsonObject, Piece } from './format.js';

/** Seconds; the tool answers within a third of one. */
const TIMEOUT_SECONDS = 5;
export const HOOK_TOOL = 'hook_event';

/**
 * One group of hooks for each event.
 *
 * @param server name under which the host knows our server
 */
function hookGroups(server: string): Readonly<Record<string, JsonObject>> {
  const group = (event: string, input: JsonObject, matcher?: string): JsonObject => ({
    ...(matcher !== undefined && { matcher }),
    hooks: [
      {
        type: 'mcp_tool',
        server,
        tool: HOOK_TOOL,
        // biome-ignore-start lint/suspicious/noTemplateCurlyInString: the host fills these in
        input: { event, session_id: '${session_id}', cwd: '${cwd}', ...input },
        timeout: TIMEOUT_SECONDS,
      },
    ],
  });
  return {
    // At the first start no server is connected yet: the first prompt makes up for it.
    SessionStart: group('session-start', {}, 'resume|clear|compact'),
    UserPromptSubmit: group('prompt', { prompt: '${prompt}' }),
    Stop: group('stop', {
      last_assistant_message: '${last_assistant_message}',
      stop_hook_active: '${stop_hook_active}',
    }),
    // biome-ignore-end lint/suspicious/noTemplateCurlyInString: the host fills these in
  };
}

/** The same as a file of hooks has it: a list of groups for each event. */
export function hookLists(server: string): JsonObject {
  return Object.fromEntries(Object.entries(hookGroups(server)).map(([event, group]) => [event, [group]]));
}

/** What `engraph connect --hooks` puts into a file of hooks. */
export function hookPieces(server: string): Piece[] {
  return Object.entries(hookGroups(server)).map(([event, value]) => ({ path: [event], value }));
}
