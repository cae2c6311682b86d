/**
 * Serves the web page. The page contains no memories, so loading it needs no token. The requests that the page sends
 * need the token.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context, Hono } from 'hono';
import { MemoryError } from '../domain/errors.js';
import { addResource } from './resource.js';

/** The build writes the page to this folder. The relative path is valid from `src` and from `dist`. */
const FOLDER = new URL('../../dist/web/', import.meta.url);
const FILES = {
  '/': { file: 'index.html', type: 'text/html; charset=utf-8' },
  '/web/page.js': { file: 'page.js', type: 'text/javascript; charset=utf-8' },
  '/web/page.css': { file: 'page.css', type: 'text/css; charset=utf-8' },
} as const;

export const PAGE_PATHS = Object.keys(FILES) as readonly (keyof typeof FILES)[];

/** Limits scripts, styles and requests to this service. Scripts must not turn text into markup. */
const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const HEADERS = {
  'Content-Security-Policy': CONTENT_POLICY,
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  // The browser asks every time. If the file has not changed, the answer is an empty 304.
  'Cache-Control': 'no-cache',
  Vary: 'Accept-Encoding',
};

export interface PageSettings {
  /** Whether requests need the API token. */
  needsToken: boolean;
  /** Whether the admin token is configured. Undoing a run and using the bin need this token. */
  hasAdminToken: boolean;
  isReadOnly: boolean;
}

interface Asset {
  plain: Buffer;
  gzipped: Buffer;
  type: string;
  tag: string;
}

/** Registers the page and its files. Each file is read at the first request for it. */
export function addPage(app: Hono, settings: PageSettings): void {
  for (const path of PAGE_PATHS) {
    let loading: Promise<Asset> | undefined;
    const load = () => {
      loading ??= loadAsset(path, settings).catch(error => {
        loading = undefined;
        throw error;
      });
      return loading;
    };
    addResource(app, path, { GET: async context => answer(context, await load()) });
  }
}

function answer(context: Context, { plain, gzipped, type, tag }: Asset): Response {
  const headers = { ...HEADERS, ETag: tag };
  if (context.req.header('if-none-match') === tag) return context.body(null, 304, headers);
  const takesGzip = /\bgzip\b/.test(context.req.header('accept-encoding') ?? '');
  const body = new Uint8Array(takesGzip ? gzipped : plain);
  return context.body(body, 200, {
    ...headers,
    'Content-Type': type,
    ...(takesGzip && { 'Content-Encoding': 'gzip' }),
  });
}

async function loadAsset(path: keyof typeof FILES, settings: PageSettings): Promise<Asset> {
  const { file, type } = FILES[path];
  const built = await readFile(new URL(file, FOLDER), 'utf8').catch(cause => {
    throw new MemoryError('not_found', 'The web page is not part of this installation', {
      hint: "Run 'npm run build' in a checkout, or install the package again.",
      cause,
    });
  });
  const plain = Buffer.from(path === '/' ? withSettings(built, settings) : built);
  const tag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 16)}"`;
  return { plain, gzipped: await promisify(gzip)(plain), type, tag };
}

/** Writes the settings into a `meta` tag of the page, because the content policy forbids inline scripts. */
function withSettings(html: string, { needsToken, hasAdminToken, isReadOnly }: PageSettings): string {
  const words = [needsToken && 'token', hasAdminToken && 'admin', isReadOnly && 'read-only'].filter(Boolean);
  return html.replace('name="engraph-settings" content=""', `name="engraph-settings" content="${words.join(' ')}"`);
}
