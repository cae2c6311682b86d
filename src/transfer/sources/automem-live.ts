/** Downloads the backup of a running AutoMem service into a temporary file. */
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryError, messageOf } from '../../domain/errors.js';

/** Requests only the graph, because Engraph computes the vectors again. */
const BACKUP = 'backup?include=falkordb';
const BACKUP_MAX_BYTES = 4 * 1_073_741_824;
const TIMEOUT_MS = 600_000;

export interface FetchedBackup {
  path: string;
  /** Removes the file. */
  remove(): Promise<void>;
}

export function isServiceUrl(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text);
}

/**
 * @param token the admin token of the service
 * @throws MemoryError `unavailable` when the service does not answer, `invalid` when it refuses, `too_large` for a
 * backup of more than 4 GiB
 */
export async function fetchBackup(url: string, token: string | undefined): Promise<FetchedBackup> {
  const answer = await ask(new URL(BACKUP, url.endsWith('/') ? url : `${url}/`), token);
  const folder = await mkdtemp(join(tmpdir(), 'engraph-import-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const path = join(folder, 'backup.tar.gz');
  try {
    await save(answer, path);
    return { path, remove };
  } catch (error) {
    await remove();
    if (error instanceof MemoryError) throw error;
    throw new MemoryError('unavailable', `The backup of ${url} was interrupted: ${messageOf(error)}`, { cause: error });
  }
}

async function ask(target: URL, token: string | undefined): Promise<Response> {
  const headers = new Headers(token === undefined ? {} : { 'X-Admin-Token': token });
  let answer: Response;
  try {
    // A redirect is not followed, because it could send the token to another host.
    answer = await fetch(target, { headers, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (cause) {
    throw new MemoryError('unavailable', `${target.origin} gave no answer`, { cause, hint: 'Check the address.' });
  }
  if (answer.ok) return answer;
  await answer.body?.cancel();
  throw new MemoryError('invalid', `${target.origin} answered ${answer.status} to the request for a backup`, {
    hint: 'Set AUTOMEM_ADMIN_TOKEN to the ADMIN_API_TOKEN of that service.',
  });
}

async function save({ body }: Response, path: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    let size = 0;
    for await (const chunk of body ?? []) {
      size += chunk.length;
      if (size > BACKUP_MAX_BYTES)
        throw new MemoryError('too_large', `The backup has more than ${BACKUP_MAX_BYTES} bytes`);
      await file.write(chunk);
    }
  } finally {
    await file.close();
  }
}
