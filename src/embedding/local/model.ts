/**
 * Determines the model that the settings name, the facts that are known before the model's files are present, and for the
 * choice `auto`, whether the model can be used.
 */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { type ErrorCode, MemoryError, messageOf } from '../../domain/errors.js';
import type { EmbeddingSettings, LocalModelSettings } from '../../domain/settings.js';
import { type ModelProfile, profileOf } from '../model-profiles.js';
import { describeFile, downloadModel, filesUrl, readManifest } from './download.js';
import type { EncoderSource } from './encoder.js';
import { CONFIG_FILE, listModelFiles, readHiddenSize } from './model-files.js';

interface ModelChoice {
  /** The model's name in the form `owner/name`, or the name of the model's folder. */
  name: string;
  /**
   * Identifies the vector space. For a model of the hub, this is the name of the model, whether or not the model is
   * quantised. A folder may contain any model, so for a folder, a checksum of its content is added to its name.
   */
  spaceName: string;
  folder: string;
  profile: ModelProfile;
  /**
   * Where the model is: the path of the ONNX file in the folder, or the address of the hub from which the model must be
   * downloaded first.
   */
  origin: { weights: string } | { hubUrl: string };
}

/** Matches the names that the hub allows, except names with `..`, which could lead out of the folder of the models. */
const MODEL_NAME = /^(?!.*\.\.)[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*$/;

/** @throws MemoryError `invalid` as in `findChoice`, or when the vectors are known to be longer than VECTOR_SIZE */
export async function chooseModel({ local, dimensions }: EmbeddingSettings): Promise<ModelChoice> {
  const choice = await findChoice(local);
  const known = 'weights' in choice.origin ? await readHiddenSize(choice.folder) : choice.profile.dimensions;
  if (known !== undefined && known > dimensions) throw tooManyDimensions('invalid', known, dimensions);
  return choice;
}

/** @throws MemoryError `invalid` when the model's name is malformed, or the folder does not contain a model */
async function findChoice(local: LocalModelSettings): Promise<ModelChoice> {
  return local.path === undefined ? chooseFromHub(local) : chooseFolder(local.path);
}

export function tooManyDimensions(code: ErrorCode, count: number, dimensions: number): MemoryError {
  return new MemoryError(
    code,
    `The local model makes vectors of ${count} dimensions, more than VECTOR_SIZE=${dimensions}: set VECTOR_SIZE=${count}, ` +
      'or choose another LOCAL_EMBEDDING_MODEL',
  );
}

async function chooseFromHub({ model, folder: root, hubUrl }: LocalModelSettings): Promise<ModelChoice> {
  if (!MODEL_NAME.test(model))
    throw new MemoryError(
      'invalid',
      `LOCAL_EMBEDDING_MODEL must be multilingual or a model in the form owner/name, but is '${model}'`,
    );
  const folder = join(root, ...model.split('/'));
  const origin = (await readManifest(folder)) ?? { hubUrl };
  return { name: model, spaceName: model, folder, profile: profileOf(model), origin };
}

async function chooseFolder(path: string): Promise<ModelChoice> {
  const folder = resolve(path);
  const name = basename(folder);
  try {
    const { weights, files } = await listModelFiles(folder);
    const spaceName = `${name}:${await fingerprint(folder, files)}`;
    return { name, spaceName, folder, profile: profileOf(name), origin: { weights } };
  } catch (error) {
    const problem = messageOf(error);
    throw new MemoryError('invalid', `LOCAL_EMBEDDING_PATH is not the folder of a model: ${problem}`, { cause: error });
  }
}

/** Maximum size of files that are read as a whole. */
const WHOLE_BYTES = 4_194_304;
const SAMPLES = 64;
const SAMPLE_BYTES = 4096;

/**
 * A short hash of the content of files. Large files are only sampled, because reading a gigabyte would delay the start.
 * Samples are enough, because weights from another training or conversion differ everywhere.
 */
async function fingerprint(folder: string, files: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const file of files) {
    const handle = await open(join(folder, file));
    try {
      const { size } = await handle.stat();
      hash.update(`${file} ${size}\0`);
      const count = size <= WHOLE_BYTES ? 1 : SAMPLES;
      const length = size <= WHOLE_BYTES ? size : SAMPLE_BYTES;
      for (let index = 0; index < count; index++) {
        const position = Math.floor((index * (size - length)) / Math.max(1, count - 1));
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
        hash.update(buffer.subarray(0, bytesRead));
      }
    } finally {
      await handle.close();
    }
  }
  return hash.digest('hex').slice(0, 12);
}

export interface FoundModel {
  state: 'on disk' | 'fetchable' | 'unavailable';
  /** A description of `state` for people. */
  reason: string;
}

/**
 * Limits the wait for the hub, because this check runs at every start without a configured provider. A hub that takes
 * longer counts as unreachable.
 */
const REACH_TIMEOUT_MS = 1000;

/**
 * Looks for the model on disk first, and only then on the hub, unless `neverDownloads` is set. Waits at most a second
 * for the hub. Never throws.
 */
export async function findLocalModel(settings: LocalModelSettings, neverDownloads = false): Promise<FoundModel> {
  try {
    const { name, folder, origin } = await findChoice(settings);
    if ('weights' in origin) return { state: 'on disk', reason: `on disk in ${folder}` };
    if (neverDownloads) return { state: 'unavailable', reason: 'not on disk' };
    const { hubUrl } = origin;
    const file = await describeFile(filesUrl(hubUrl, name), CONFIG_FILE, AbortSignal.timeout(REACH_TIMEOUT_MS));
    const { host } = new URL(hubUrl);
    return file
      ? { state: 'fetchable', reason: `can be downloaded from ${host}` }
      : { state: 'unavailable', reason: `not on disk, and ${host} does not have it` };
  } catch (error) {
    const problem = messageOf(error);
    return { state: 'unavailable', reason: `not on disk, and cannot be downloaded: ${problem}` };
  }
}

export interface ModelSource {
  /**
   * @throws MemoryError `unavailable` while the model is not complete; each call may start another attempt to download
   * it
   */
  get(): EncoderSource;
  /** Ends a running download and keeps the bytes that have arrived. */
  close(): Promise<void>;
}

export interface SourceParts {
  log: { info(message: string): void; warn(message: string): void };
  clock: { elapsedMs(): number };
}

/** Share of the download between two progress reports in the log. */
const PROGRESS_STEP = 0.1;

/** Starts a download at once if the model is not on disk. */
export function openModel(choice: ModelChoice, parts: SourceParts): ModelSource {
  const { name, folder, origin } = choice;
  if ('hubUrl' in origin) return fetchFromHub({ name, folder, hubUrl: origin.hubUrl }, parts);
  const source = { name, folder, weights: origin.weights };
  return { get: () => source, close: async () => {} };
}

interface HubModel {
  name: string;
  folder: string;
  hubUrl: string;
}

function fetchFromHub({ name, folder, hubUrl }: HubModel, { log, clock }: SourceParts): ModelSource {
  const backoff = createBackoff(clock);
  const stop = new AbortController();
  let source: EncoderSource | undefined;
  let download: Promise<void> | undefined;
  /** The reason why there is no vector yet, as a clause that follows the name of the model. */
  let state = 'is being looked for on the hub';
  let lastProblem = '';

  const onProgress = createProgress(log, `the local model ${name} to ${folder}`, progress => {
    state = `is being downloaded (${progress})`;
  });
  const noteFailure = (error: unknown) => {
    backoff.fail();
    state = 'could not be downloaded and is tried again later: see the log';
    const problem = messageOf(error);
    // Do not log the same problem twice in a row.
    if (problem === lastProblem || stop.signal.aborted) return;
    lastProblem = problem;
    log.warn(
      `the local model ${name} cannot be downloaded: ${problem}. Without it, memories are found by their words only. ` +
        'Engraph tries again from time to time. HF_ENDPOINT sets another hub, LOCAL_EMBEDDING_PATH a folder with the model',
    );
  };
  const attempt = async () => {
    try {
      const options = { model: name, folder, hubUrl, signal: stop.signal, onProgress };
      const { weights } = await downloadModel({ ...options, onDoubt: doubt => log.warn(doubt) });
      log.info(`the local model ${name} is complete`);
      source = { name, folder, weights };
    } catch (error) {
      noteFailure(error);
    }
    download = undefined;
  };
  download = attempt();

  return {
    get: () => {
      if (source) return source;
      if (!stop.signal.aborted && backoff.isDue()) download ??= attempt();
      throw new MemoryError('unavailable', `The local model ${name} ${state}`);
    },
    close: async () => {
      stop.abort();
      await download;
    },
  };
}

/** Logs the start of a download, and from time to time its progress. */
function createProgress(log: SourceParts['log'], what: string, onState: (progress: string) => void) {
  let loggedShare: number | undefined;
  return (doneBytes: number, totalBytes: number) => {
    const share = doneBytes / totalBytes;
    const progress = `${Math.floor(share * 100)} % of ${(totalBytes / 1_048_576).toFixed(1)} MiB`;
    onState(progress);
    const isWorthALine = loggedShare === undefined || (share >= loggedShare + PROGRESS_STEP && share < 1);
    if (!isWorthALine) return;
    log.info(`downloading ${what}: ${progress}`);
    loggedShare = share;
  };
}

const FIRST_MS = 15_000;
const MAX_MS = 600_000;

export interface Backoff {
  /** Whether the operation may be tried now. */
  isDue(): boolean;
  /** Records a failure. Each consecutive failure doubles the wait, from 15 seconds up to 10 minutes. */
  fail(): void;
  succeed(): void;
}

export function createBackoff(clock: { elapsedMs(): number }): Backoff {
  let failures = 0;
  let dueMs = Number.NEGATIVE_INFINITY;
  return {
    isDue: () => clock.elapsedMs() >= dueMs,
    fail: () => {
      dueMs = clock.elapsedMs() + Math.min(FIRST_MS * 2 ** failures, MAX_MS);
      failures += 1;
    },
    succeed: () => {
      failures = 0;
    },
  };
}
