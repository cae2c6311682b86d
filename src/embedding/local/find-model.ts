/** Finds out whether a local model can be used, for the choice `auto`. */
import { messageOf } from '../../domain/errors.js';
import type { LocalModelSettings } from '../../domain/settings.js';
import { filesUrl } from './download.js';
import { describeFile } from './hub-file.js';
import { findChoice } from './model-choice.js';
import { CONFIG_FILE } from './model-files.js';

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
