/**
 * Selects the parts of a request and an answer that are forwarded. Secrets and headers about one connection are left
 * out.
 */

/** Headers about the caller's connection, or about permissions that were already checked. */
const NOT_FORWARDED: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'expect',
  'upgrade',
  'te',
  'trailer',
  'accept-encoding',
  'authorization',
  'cookie',
  'x-api-key',
  'x-admin-token',
  'x-admin-api-key',
]);
const SECRET_PARAMETERS: ReadonlySet<string> = new Set(['api_key', 'admin_token']);
/** Headers of an answer that describe the connection, or the encoding of bytes that have already been decoded. */
const CONNECTION_HEADERS = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'content-encoding'];

export function forwardedHeaders(headers: Headers): Record<string, string> {
  const named = new Set((headers.get('connection') ?? '').split(',').map(name => name.trim().toLowerCase()));
  const isNotForwarded = (name: string) => NOT_FORWARDED.has(name) || name.startsWith('proxy-') || named.has(name);
  return Object.fromEntries([...headers].filter(([name]) => !isNotForwarded(name)));
}

/** @param search the query string with its question mark, or an empty string */
export function forwardedQuery(search: string): string {
  const isSecret = (pair: string) => SECRET_PARAMETERS.has(new URLSearchParams(pair).keys().next().value ?? '');
  const pairs = search.slice(1).split('&');
  const kept = pairs.filter(pair => !isSecret(pair));
  if (kept.length === pairs.length) return search;
  return kept.length === 0 ? '' : `?${kept.join('&')}`;
}

/** Prepares an answer of `fetch` for the caller. */
export function forwardedAnswer(answer: Response): Response {
  const headers = new Headers(answer.headers);
  for (const name of CONNECTION_HEADERS) headers.delete(name);
  return new Response(answer.body, { status: answer.status, headers });
}
