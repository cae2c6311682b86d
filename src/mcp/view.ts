/** The resource `ui://engraph/view`: the page that hosts of MCP Apps show beside the results of `recall_memory`. */
import { readFile } from 'node:fs/promises';
import type { ClientCapabilities, ReadResourceResult, Resource } from '@modelcontextprotocol/sdk/types.js';
import { MemoryError } from '../domain/errors.js';

const EXTENSION = 'io.modelcontextprotocol/ui';
const VIEW_MIME_TYPE = 'text/html;profile=mcp-app';

/**
 * Whether a client renders views. The client declares this capability when it initializes. Outside of a session the
 * capabilities are undefined.
 */
export function rendersViews(capabilities: ClientCapabilities | undefined): boolean {
  const { mimeTypes } = (capabilities?.extensions?.[EXTENSION] ?? {}) as { mimeTypes?: unknown };
  return Array.isArray(mimeTypes) && mimeTypes.includes(VIEW_MIME_TYPE);
}

export const VIEW_URI = 'ui://engraph/view';

/** The build writes the view into this file. The path is the same from `src` and from `dist`. */
const FILE = new URL('../../dist/web/view.html', import.meta.url);

/** The view loads nothing and connects to nothing. */
const META = {
  ui: {
    csp: { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] },
    prefersBorder: true,
  },
};

/** Names the view that shows the results of a tool, for clients that render views. The view may call the tool too. */
export const TOOL_VIEW = { resourceUri: VIEW_URI, visibility: ['model', 'app'] };

export const LISTED_VIEW: Resource = {
  uri: VIEW_URI,
  name: 'view',
  title: 'Memories',
  description: 'Shows recalled memories to the person, who can search, and open, correct or delete a memory.',
  mimeType: VIEW_MIME_TYPE,
  _meta: META,
};

/**
 * Reads the HTML of the view. It contains no memory.
 *
 * @throws MemoryError `not_found` when the build has not written the file
 */
export async function readView(isReadOnly: boolean): Promise<ReadResourceResult> {
  const built = await readFile(FILE, 'utf8').catch(cause => {
    throw new MemoryError('not_found', 'The view is not part of this installation', {
      hint: "Run 'npm run build' in a checkout, or install the package again.",
      cause,
    });
  });
  const text = isReadOnly
    ? built.replace('engraph-settings" content=""', 'engraph-settings" content="read-only"')
    : built;
  return { contents: [{ uri: VIEW_URI, mimeType: VIEW_MIME_TYPE, text, _meta: META }] };
}
