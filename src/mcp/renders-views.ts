/** Detects whether a client renders MCP Apps: views that a server provides for the results of its tools. */
import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';

const EXTENSION = 'io.modelcontextprotocol/ui';
export const VIEW_MIME_TYPE = 'text/html;profile=mcp-app';

/**
 * Whether a client renders views. The client declares this capability when it initializes. Outside of a session the
 * capabilities are undefined.
 */
export function rendersViews(capabilities: ClientCapabilities | undefined): boolean {
  const { mimeTypes } = (capabilities?.extensions?.[EXTENSION] ?? {}) as { mimeTypes?: unknown };
  return Array.isArray(mimeTypes) && mimeTypes.includes(VIEW_MIME_TYPE);
}
