/** The hub's description of a model file: its size, and the checksum that the download must have. */

export interface HubFile {
  /** Path in the repository, and in the folder of the model. */
  path: string;
  url: string;
  sizeBytes: number;
  /**
   * The checksum: `sha256` for large files (git LFS), `git-sha1` for files in git itself. Undefined if a mirror
   * omits the checksum. Then only the size is checked.
   */
  checksum: { algorithm: 'sha256' | 'git-sha1'; value: string } | undefined;
}

/** The message is a clause that follows "the model cannot be downloaded" and gives the reason. */
export class DownloadError extends Error {}

/** Address of a model's files on the hub. */
export function filesUrl(hubUrl: string, model: string): string {
  return `${hubUrl}/${model}/resolve/main`;
}

const REDIRECTS_MAX = 5;

/**
 * Requests the description of one file of a model.
 *
 * The hub redirects large files to another host, whose ETag is not the checksum. The checksum is in the hub's own
 * answer, as `x-linked-etag`.
 *
 * @param base address of the files, such as `https://huggingface.co/owner/name/resolve/main`
 * @returns undefined when the model has no such file
 * @throws DownloadError
 */
export async function describeFile(base: string, path: string, signal: AbortSignal): Promise<HubFile | undefined> {
  const url = `${base}/${path}`;
  const { status, headers } = await headOf(url, signal);
  if (status === 404) return undefined;
  if (status === 401 || status === 403) throw new DownloadError(`${url} does not exist, or is not public (${status})`);
  if (status >= 400) throw new DownloadError(`${url} answered with status ${status}`);
  const sizeBytes = Number(headers.get('x-linked-size') ?? headers.get('content-length') ?? Number.NaN);
  if (!Number.isSafeInteger(sizeBytes)) throw new DownloadError(`${url} does not report its size`);
  return { path, url, sizeBytes, checksum: checksumOf(headers.get('x-linked-etag') ?? headers.get('etag') ?? '') };
}

/** Follows redirects up to the answer that contains the hub's checksum. */
async function headOf(address: string, signal: AbortSignal): Promise<Response> {
  let url = address;
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
    // Request the file without compression, because a compressed answer does not report the length of a small file.
    const headers = { 'accept-encoding': 'identity' };
    const response = await reach(url, { method: 'HEAD', redirect: 'manual', headers, signal });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status >= 400 || location === null) return response;
    if (response.headers.has('x-linked-etag')) return response;
    url = new URL(location, url).href;
  }
  throw new DownloadError(`${address} is redirected too many times`);
}

/**
 * Like `fetch`, but errors name the host and the cause. The built-in limits of `fetch` apply: ten seconds to connect,
 * and five minutes without a byte.
 */
export async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    throw new DownloadError(`${new URL(url).host} cannot be reached (${causeOf(error)})`, { cause: error });
  }
}

/** Returns the error code, such as ECONNREFUSED, or the message of the innermost cause if no error has a code. */
export function causeOf(error: unknown): string {
  let trouble = 'no answer';
  for (let each = error; each instanceof Error; each = each.cause) {
    if ('code' in each && typeof each.code === 'string') return each.code;
    trouble = each.message;
  }
  return trouble;
}

function checksumOf(etag: string): HubFile['checksum'] {
  const value = /^(?:W\/)?"?([0-9a-f]+)"?$/i.exec(etag)?.[1]?.toLowerCase();
  if (value?.length === 64) return { algorithm: 'sha256', value };
  return value?.length === 40 ? { algorithm: 'git-sha1', value } : undefined;
}
