/** What a thread is started with that checks a file. */
import type { StopFlag } from './thread-end.js';

export interface CheckData {
  path: string;
  stopFlag: StopFlag;
}
