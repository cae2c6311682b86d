/** The messages between the search thread and its owner. */
import type { END, StopFlag } from '../database/thread-end.js';
import type { ReaderSearch } from './index-reader.js';
import type { PackedHits } from './packed-hits.js';

export type ThreadRequest =
  /** `ahead` is the number of nearest ids that the thread sends in a message of their own before the hits. */
  | { kind: 'search'; number: number; search: ReaderSearch; ahead?: number }
  /** Rows that were written or removed. */
  | { kind: 'refresh'; rows: readonly number[] }
  /** A request that is answered once all earlier requests are done. */
  | { kind: 'ping'; number: number }
  | typeof END;

/** Number of the reply that the thread sends, without a request, once it has read all vectors. */
export const READY = 0;

/** `number` is the number of the request, or `READY`. */
export type ThreadReply =
  | { number: number; hits: PackedHits }
  | { number: number; nearest: readonly string[] }
  | { number: number; error: string };

export interface ThreadData {
  /** The SQLite file. */
  path: string;
  stopFlag: StopFlag;
}
