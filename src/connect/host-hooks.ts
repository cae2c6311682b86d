/**
 * Hooks that call our tool `hook_event`. Claude Code and Codex read the same format, which was compared with the
 * documentation of both on 2026-11-23.
 */
import type { JsonObject, Piece } from './format.js';

/** The time that the host waits for `hook_event`. The tool itself answers within 0.3 seconds. */
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
    // The matcher omits `startup`, because no server is connected at that time. The memories for the session start
    // are returned with the first prompt instead.
    SessionStart: group('session-start', {}, 'resume|clear|compact'),
    UserPromptSubmit: group('prompt', { prompt: '${prompt}' }),
    Stop: group('stop', {
      last_assistant_message: '${last_assistant_message}',
      stop_hook_active: '${stop_hook_active}',
    }),
    // biome-ignore-end lint/suspicious/noTemplateCurlyInString: the host fills these in
  };
}

/** The hooks in the form that a file of hooks has: a list of groups for each event. */
export function hookLists(server: string): JsonObject {
  return Object.fromEntries(Object.entries(hookGroups(server)).map(([event, group]) => [event, [group]]));
}

/** The entries that `engraph connect --hooks` writes into a file of hooks. */
export function hookPieces(server: string): Piece[] {
  return Object.entries(hookGroups(server)).map(([event, value]) => ({ path: [event], value }));
}
