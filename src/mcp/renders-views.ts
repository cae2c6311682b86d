/** Whether a client shows MCP Apps: views of a server beside the results of its tools. */
import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';

const EXTENSION = 'io.modelcontextprotocol/ui';
export const VIEW_MIME_TYPE = 'text/html;profile=mcp-app';

/** A client says so when it initializes. A request outside of a session says nothing of its client. */
export function rendersViews(capabilities: ClientCapabilities | undefined): boolean {
  const { mimeTypes } = (capabilities?.extensions?.[EXTENSION] ?? {}) as { mimeTypes?: unknown };
  return Array.isArray(mimeTypes) && mimeTypes.includes(VIEW_MIME_TYPE);
}
