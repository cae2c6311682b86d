/** What every command receives. */
import type { Config, Environment, Flags } from '../config.js';
import type { Logger } from '../log.js';
import type { CommandOptions } from './arguments.js';

export interface CommandParts {
  config: Config;
  log: Logger;
  version: string;
  options: CommandOptions;
  /** What the config was made of. */
  flags: Flags;
  environment: Environment;
}
