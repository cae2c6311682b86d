/** Provides the files of the model: from disk, or by a download, which is repeated after a failure. */
import { MemoryError, messageOf } from '../../domain/errors.js';
import { downloadModel } from './download.js';
import type { EncoderSource } from './encoder.js';
import type { ModelChoice } from './model-choice.js';

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
