/**
 * Serves the web page. The page contains no memories, so loading it needs no token; its requests need the token. Codes
 * each open the page once: its address contains a code instead of the API token, because browsers keep addresses in
 * their history. A program and the service show each other that they know the token.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context, Hono, MiddlewareHandler } from 'hono';
import { MemoryError } from '../domain/errors.js';
import { requireApiToken } from './auth.js';
import { addResource } from './every-request.js';

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

/** Path that issues a code. Requests need the API token, or a proof that the caller knows it. */
export const CODES_PATH = '/web/codes';
/** Path that exchanges a code for the API token. */
export const SESSION_PATH = '/web/session';
export const CODE_HEADER = 'x-view-code';

/** Lifetime of a code. A browser that starts slowly on a busy machine takes only some seconds. */
const LIFETIME_MS = 60_000;
/** Maximum number of stored codes. A further code replaces the oldest code. Nobody opens more pages in a minute. */
const CODES_MAX = 20;
const CODE_BYTES = 32;

export interface PageCodes {
  /** @param code by default a random one */
  issue(code?: string): string;
  /** Invalidates a code. @returns whether the code was valid */
  redeem(code: string): boolean;
}

/** @param nowMs returns the current time in milliseconds */
export function createPageCodes(nowMs: () => number): PageCodes {
  const expiryByCode = new Map<string, number>();
  return {
    issue: (code = randomBytes(CODE_BYTES).toString('base64url')) => {
      const [oldest] = expiryByCode.keys();
      if (oldest !== undefined && expiryByCode.size >= CODES_MAX) expiryByCode.delete(oldest);
      expiryByCode.set(code, nowMs() + LIFETIME_MS);
      return code;
    },
    redeem: code => {
      const expiryMs = expiryByCode.get(code);
      expiryByCode.delete(code);
      return expiryMs !== undefined && nowMs() < expiryMs;
    },
  };
}

export interface PageCodesSettings {
  apiToken?: string | undefined;
  /** The data folder of the memory that the page shows. */
  dataDir: string;
}

/**
 * Identifies a data folder for programs on the same machine, such as `engraph view`. A path would tell other callers
 * the name of the user.
 */
export function folderDigest(dataDir: string): string {
  return createHash('sha256').update(dataDir).digest('hex');
}

/** Registers `CODES_PATH` and `SESSION_PATH`. `SESSION_PATH` must be open to callers without a token. */
export function addPageCodes(
  app: Hono,
  { apiToken, dataDir }: PageCodesSettings,
  codes = createPageCodes(Date.now),
): void {
  const folder = folderDigest(dataDir);
  app.post(CODES_PATH, requireTokenOrProof(apiToken));
  addResource(app, CODES_PATH, {
    POST: context => {
      const proof = context.req.header(PROOF_HEADER);
      if (apiToken === undefined || proof === undefined) {
        return context.json({ status: 'success', code: codes.issue(), folder }, 201);
      }
      const { code, ...answer } = answerTo(proof, apiToken);
      codes.issue(code);
      return context.json({ status: 'success', ...answer, folder }, 201);
    },
  });
  addResource(app, SESSION_PATH, {
    POST: context => {
      if (!codes.redeem(context.req.header(CODE_HEADER) ?? '')) {
        throw new MemoryError('unauthorized', 'The link has been used already, or is older than a minute', {
          hint: "Run 'engraph view' again, or enter the token.",
        });
      }
      return context.json({ status: 'success', token: apiToken ?? null });
    },
  });
}

/** A wrong proof is treated like a wrong token. */
function requireTokenOrProof(apiToken: string | undefined): MiddlewareHandler {
  const requireToken = requireApiToken(apiToken);
  return async (context, next) => {
    const proof = context.req.header(PROOF_HEADER);
    const isProven = apiToken !== undefined && proof !== undefined && isKnown(proof, apiToken, localPortOf(context));
    return isProven ? next() : requireToken(context, next);
  };
}

function localPortOf({ env }: Context): number | undefined {
  return (env as { incoming?: { socket?: { localPort?: number } } } | undefined)?.incoming?.socket?.localPort;
}

export const PROOF_HEADER = 'x-engraph-proof';

/** A proof consists of a random number, the port that was addressed, and their digest under the token. */
const PROOF = /^([\w-]{16,64})\.(\d{1,5}|any)\.([\w-]{43})$/;
const NONCE_BYTES = 24;

/** The service's part: a random number of its own, and the proof that it knows the token. */
export interface ProofAnswer {
  nonce: string;
  proof: string;
}

/** @param port undefined if the user named the address, as a proxy before the service may have another port */
export function proofOf(token: string, port: number | undefined): string {
  const nonce = randomBytes(NONCE_BYTES).toString('base64url');
  const place = port ?? 'any';
  return `${nonce}.${place}.${digest(token, 'program', `${nonce}.${place}`)}`;
}

/** Whether a proof was made with the token, for a service on this port. */
function isKnown(proof: string, token: string, port: number | undefined): boolean {
  const [, nonce, place, given = ''] = PROOF.exec(proof) ?? [];
  if (place === undefined || (place !== 'any' && place !== String(port))) return false;
  return isSame(digest(token, 'program', `${nonce}.${place}`), given);
}

/** Answers a proof that is known. The code is for the service only. */
function answerTo(proof: string, token: string): ProofAnswer & { code: string } {
  const nonce = randomBytes(NONCE_BYTES).toString('base64url');
  return { nonce, proof: digest(token, 'service', `${proof} ${nonce}`), code: codeOf(token, proof, nonce) };
}

/** Returns the code if the answer to the proof shows that the service knows the token. */
export function codeFrom({ nonce, proof }: ProofAnswer, token: string, own: string): string | undefined {
  return isSame(digest(token, 'service', `${own} ${nonce}`), proof) ? codeOf(token, own, nonce) : undefined;
}

function codeOf(token: string, proof: string, nonce: string): string {
  return digest(token, 'code', `${proof} ${nonce}`);
}

/** @param purpose prevents that one kind of digest is used as another */
function digest(token: string, purpose: 'program' | 'service' | 'code', text: string): string {
  return createHmac('sha256', token).update(`engraph ${purpose} ${text}`).digest('base64url');
}

function isSame(expected: string, given: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
}
