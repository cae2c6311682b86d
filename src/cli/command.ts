/** The parts that every command receives. */
import type { Config, Environment, Flags } from '../config.js';
import type { Logger } from '../log.js';
import type { CommandOptions } from './arguments.js';

export interface CommandParts {
  config: Config;
  log: Logger;
  version: string;
  options: CommandOptions;
  /** The flags and the environment from which the config was made. */
  flags: Flags;
  environment: Environment;
}
