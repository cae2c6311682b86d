/** Reads command lines and writes help. */
export { Command, CommanderError, Option } from 'commander';
