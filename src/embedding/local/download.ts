/** Downloads a model from the hub into its folder. */
import { join } from 'node:path';
import { fetchFile } from './fetch-file.js';
import { DownloadError, describeFile, type HubFile } from './hub-file.js';
import { type Manifest, writeManifest } from './manifest.js';
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

const REQUIRED = [CONFIG_FILE, TOKENIZER_FILE, TOKENIZER_CONFIG_FILE];
const OPTIONAL = [POOLING_FILE, SENTENCE_FILE];

/** Address of a model's files on the hub. */
export function filesUrl(hubUrl: string, model: string): string {
  return `${hubUrl}/${model}/resolve/main`;
}

/**
 * Downloads a model. Keeps files that are already present and correct, so a caller can repeat the download after a
 * failure.
 *
 * @throws DownloadError when the model cannot be downloaded now
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
    const { sizeBytes, sha256 } = await fetchFile(file, join(folder, file.path), { signal, onProgress });
    listed.push({ path: file.path, sizeBytes, sha256 });
    doneBytes += sizeBytes;
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
