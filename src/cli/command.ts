/** What every command receives. */
import type { Config } from '../config.js';
import type { Logger } from '../log.js';
import type { CommandOptions } from './arguments.js';

export interface CommandParts {
  config: Config;
  log: Logger;
  version: string;
  options: CommandOptions;
}
