/** The start parameters of the thread that checks a file. */
import type { StopFlag } from './thread-end.js';

export interface CheckData {
  path: string;
  stopFlag: StopFlag;
}
