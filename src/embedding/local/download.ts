/**
 * Downloads a model from the hub into its folder. A file that is still being downloaded is a part file, whose name has the
 * checksum of the complete file. A later attempt resumes the part. The manifest is written last, so if it exists and all
 * files match, the model is complete.
 */
import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { causeOf } from '../../domain/errors.js';
import {
  CONFIG_FILE,
  POOLING_FILE,
  SENTENCE_FILE,
  TOKENIZER_CONFIG_FILE,
  TOKENIZER_FILE,
  WEIGHT_FILES,
} from './model-files.js';

export interface DownloadOptions {
  /** Name as `owner/name`. */
  model: string;
  hubUrl: string;
  /** Folder of this model. */
  folder: string;
  signal: AbortSignal;
  /** Called when the sizes are known, and whenever more bytes have arrived. */
  onProgress(doneBytes: number, totalBytes: number): void;
  /** Called with a warning for the operator. The download continues. */
  onDoubt(doubt: string): void;
}

export interface Manifest {
  model: string;
  /** Path of the ONNX file. */
  weights: string;
  files: readonly { path: string; sizeBytes: number; sha256: string }[];
}

const MANIFEST_FILE = 'engraph-model.json';
const REQUIRED = [CONFIG_FILE, TOKENIZER_FILE, TOKENIZER_CONFIG_FILE];
const OPTIONAL = [POOLING_FILE, SENTENCE_FILE];

/**
 * Downloads a model. Keeps files that are already present and correct, so a caller can repeat the download after a
 * failure.
 *
 * @throws DownloadError when the model cannot be downloaded now; the bytes that arrived are kept for the next attempt,
 * unless their checksum is wrong
 */
export async function downloadModel(options: DownloadOptions): Promise<Manifest> {
  const { model, folder, signal } = options;
  const { files, weights } = await describeModel(options);
  const totalBytes = files.reduce((total, { sizeBytes }) => total + sizeBytes, 0);
  let doneBytes = 0;
  options.onProgress(doneBytes, totalBytes);
  const listed: Manifest['files'][number][] = [];
  for (const file of files) {
    if (!file.checksum) options.onDoubt(`the hub gives no checksum of ${file.path}: only its size is checked`);
    const onProgress = (bytes: number) => options.onProgress(doneBytes + bytes, totalBytes);
    const target = join(folder, file.path);
    // An earlier download of the model may have completed this file, and failed at a later file.
    const sha256 = (await sha256IfCorrect(target, file)) ?? (await fetchFile(file, target, { signal, onProgress }));
    listed.push({ path: file.path, sizeBytes: file.sizeBytes, sha256 });
    doneBytes += file.sizeBytes;
    options.onProgress(doneBytes, totalBytes);
  }
  const manifest = { model, weights, files: listed };
  await writeManifest(folder, manifest);
  return manifest;
}

/** Asks the hub for the files to download. The last file is the large one, which contains the weights. */
async function describeModel({
  model,
  hubUrl,
  signal,
}: DownloadOptions): Promise<{ files: HubFile[]; weights: string }> {
  const base = filesUrl(hubUrl, model);
  const files: HubFile[] = [];
  for (const path of [...REQUIRED, ...OPTIONAL]) {
    const file = await describeFile(base, path, signal);
    if (!file && REQUIRED.includes(path)) throw new DownloadError(`${base}/${path} does not exist (404)`);
    if (file) files.push(file);
  }
  for (const path of WEIGHT_FILES) {
    const weights = await describeFile(base, path, signal);
    if (weights) return { files: [...files, weights], weights: path };
  }
  throw new DownloadError(`${base} has no ONNX weights: neither ${WEIGHT_FILES.join(' nor ')} exists`);
}

interface FetchOptions {
  signal: AbortSignal;
  /** Called repeatedly with the number of bytes of this file that are present. */
  onProgress(bytes: number): void;
}

/** Downloads a file as a part, and moves it into place when its size and checksum are those of the hub. */
async function fetchFile(file: HubFile, target: string, options: FetchOptions): Promise<string> {
  await mkdir(dirname(target), { recursive: true });
  const part = `${target}.${file.checksum?.value.slice(0, 16) ?? `size${file.sizeBytes}`}.part`;
  await fillPart(part, file, options);
  let sha256 = await sha256IfCorrect(part, file);
  const isMoved =
    sha256 !== undefined &&
    (await rename(part, target).then(
      () => true,
      () => false,
    ));
  // Another process may have moved the complete part already.
  if (!isMoved) sha256 = await sha256IfCorrect(target, file);
  // It is unknown which bytes of a wrong part are wrong.
  await removeParts(target);
  if (sha256 === undefined) throw new DownloadError(`${file.path} arrived with a wrong checksum`);
  return sha256;
}

/** Downloads what is missing of a part, and flushes the part to the disk. */
async function fillPart(part: string, file: HubFile, { signal, onProgress }: FetchOptions): Promise<void> {
  const handle = await openPart(part);
  try {
    const { size } = await handle.stat();
    if (size === file.sizeBytes) return;
    const body = await requestFrom(size < file.sizeBytes ? size : 0, file, signal);
    let at = body.startBytes;
    onProgress(at);
    for await (const chunk of body.chunks) {
      if (at + chunk.length > file.sizeBytes) throw new DownloadError(`${file.path} is longer than announced`);
      // Writing at a position is safe beside another process, which writes the same bytes to the same positions.
      await handle.write(chunk, 0, chunk.length, at);
      at += chunk.length;
      onProgress(at);
    }
    await handle.sync();
    if (at < file.sizeBytes) throw new DownloadError(`the connection ended before ${file.path} was complete`);
  } finally {
    await handle.close();
  }
}

/** Opens a part in one step, because another process may move or remove the file between two steps. */
function openPart(path: string): Promise<FileHandle> {
  return open(path, constants.O_RDWR | constants.O_CREAT);
}

/** Requests the rest of a file. If a server ignores the range, the download starts again from the beginning. */
async function requestFrom(
  bytes: number,
  { url, path, sizeBytes }: HubFile,
  signal: AbortSignal,
): Promise<{ startBytes: number; chunks: AsyncIterable<Uint8Array> }> {
  const headers = { 'accept-encoding': 'identity', ...(bytes > 0 && { range: `bytes=${bytes}-` }) };
  const { status, headers: answered, body } = await reach(url, { headers, signal });
  const isPart = status === 206 && answered.get('content-range') === `bytes ${bytes}-${sizeBytes - 1}/${sizeBytes}`;
  if (!(isPart || status === 200) || !body) {
    await body?.cancel();
    throw new DownloadError(`the hub answered with status ${status} for ${path}`);
  }
  return { startBytes: isPart ? bytes : 0, chunks: readBody(body, path) };
}

async function* readBody(body: AsyncIterable<Uint8Array>, path: string): AsyncIterable<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw new DownloadError(`the connection ended in the middle of ${path} (${causeOf(error)})`, { cause: error });
  }
}

/**
 * The SHA-256 of a file in hexadecimal digits. Undefined if the file is missing, or does not have the size and the
 * checksum of the hub.
 */
async function sha256IfCorrect(path: string, { sizeBytes, checksum }: HubFile): Promise<string | undefined> {
  // An open file can still be read if another process moves or removes it.
  const handle = await open(path).catch(() => undefined);
  if (!handle) return undefined;
  const sha256 = createHash('sha256');
  // Git names a content by this hash, which begins with the size.
  const gitSha1 = createHash('sha1').update(`blob ${sizeBytes}\0`);
  try {
    if ((await handle.stat()).size !== sizeBytes) return undefined;
    for await (const chunk of handle.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>) {
      sha256.update(chunk);
      gitSha1.update(chunk);
    }
  } finally {
    await handle.close();
  }
  const sum = sha256.digest('hex');
  const isCorrect =
    checksum === undefined || checksum.value === (checksum.algorithm === 'sha256' ? sum : gitSha1.digest('hex'));
  return isCorrect ? sum : undefined;
}

/** Removes the parts of earlier attempts at a file, of any version. */
async function removeParts(target: string): Promise<void> {
  const names = await readdir(dirname(target));
  const parts = names.filter(name => name.startsWith(`${basename(target)}.`) && name.endsWith('.part'));
  for (const name of parts) await rm(join(dirname(target), name), { force: true });
}

/**
 * Compares only the sizes of the files, because the download verified their checksums.
 *
 * @returns undefined when the folder contains no complete model
 */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  try {
    const manifest = JSON.parse(await readFile(join(folder, MANIFEST_FILE), 'utf8')) as Manifest;
    for (const { path, sizeBytes } of manifest.files) {
      if ((await stat(join(folder, path))).size !== sizeBytes) return undefined;
    }
    return manifest;
  } catch {
    // The manifest or a listed file is missing, or the manifest was not written by Engraph. In each case the download
    // runs, and verifies the files that are present.
    return undefined;
  }
}

async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const path = join(folder, MANIFEST_FILE);
  const draft = `${path}.${randomUUID()}.draft`;
  const handle = await open(draft, 'w');
  try {
    await handle.writeFile(`${JSON.stringify(manifest, null, 2)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, path);
}

interface HubFile {
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
class DownloadError extends Error {}

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
async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    throw new DownloadError(`${new URL(url).host} cannot be reached (${causeOf(error)})`, { cause: error });
  }
}

function checksumOf(etag: string): HubFile['checksum'] {
  const value = /^(?:W\/)?"?([0-9a-f]+)"?$/i.exec(etag)?.[1]?.toLowerCase();
  if (value?.length === 64) return { algorithm: 'sha256', value };
  return value?.length === 40 ? { algorithm: 'git-sha1', value } : undefined;
}
