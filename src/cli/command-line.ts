/** Reads the arguments of a command with commander, and writes the help. */
import { nearestName } from '../domain/input.js';
import { Command, CommanderError, Option } from '../packages/commander.js';
import { type CommandName, type CommandOptions, type Invocation, toFlags, UsageError } from './arguments.js';
import { COMMANDS, type CommandRow, type OptionRow, SERVICE_OPTIONS, SET_UP } from './command-table.js';

const HELP_WIDTH = 110;
const HEADING = 'Options of every command:';
const EVERYWHERE: readonly OptionRow[] = [...SERVICE_OPTIONS, ['-v, --version', 'show the version']];
const ABOUT =
  'Long-term memory for AI assistants. Without a command, engraph serves MCP over stdin and stdout, and REST on HOST:PORT.';
const AFTER = `
'engraph COMMAND --help' explains a command, with an example.
Further settings are read from the environment; docs/configuration.md of the package lists them.`;

/** @throws UsageError */
export function parseCommandLine(argv: readonly string[]): Invocation {
  let shown = '';
  let invocation: Invocation | undefined;
  const program = createProgram({
    print: text => {
      shown += text;
    },
    run: (name, given, names) => {
      invocation = toInvocation(name, given, names);
    },
  });
  try {
    program.parse(commandFirst(argv), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (shown !== '') return { show: 'help', text: shown };
    throw usageError(error, argv);
  }
  return invocation ?? { show: 'help', text: program.helpInformation() };
}

interface ProgramParts {
  print: (text: string) => void;
  run: (name: CommandName | 'stdio', given: Given, names: readonly string[]) => void;
}

function createProgram({ print, run }: ProgramParts): Command {
  const program = prepared(new Command('engraph'), print)
    .usage('[command] [options]')
    .description(ABOUT)
    .addHelpText('after', AFTER)
    .addHelpCommand(helpCommand())
    // Options after the name of a command belong to the command.
    .enablePositionalOptions()
    .action((given, { args }: Command) => {
      if (args[0] !== undefined) throw new UsageError(unknownCommand(args[0]));
      run('stdio', given, []);
    });
  addOptions(program, EVERYWHERE);
  for (const [name, row] of Object.entries(COMMANDS)) {
    const command = program.command(name);
    describe(prepared(command, print), row);
    addOptions(
      command,
      EVERYWHERE.filter(([flags]) => !takes(row, flags)),
      HEADING,
    );
    command.action(() => {
      if (row.takes === undefined && command.args.length > 0)
        throw new UsageError(`'${name}' takes no further argument, but got '${command.args.join(' ')}'`, name);
      run(name as CommandName, command.opts(), command.args);
    });
  }
  return program;
}

function helpCommand(): Command {
  return new Command('help')
    .argument('[command]')
    .summary('show this text, or the help of a command')
    .helpGroup(SET_UP);
}

function prepared(command: Command, print: ProgramParts['print']): Command {
  return command
    .exitOverride()
    .allowExcessArguments()
    .helpOption('-h, --help', 'show this text')
    .configureOutput({ writeOut: print, writeErr: () => {}, getOutHelpWidth: () => HELP_WIDTH })
    .configureHelp({ subcommandTerm: each => each.name() });
}

function describe(command: Command, { group, takes = [], summary, more, options = [], examples }: CommandRow): void {
  const sentence = `${summary[0]?.toUpperCase()}${summary.slice(1)}.`;
  command
    .summary(summary)
    .description(more === undefined ? sentence : `${sentence} ${more}`)
    .helpGroup(group)
    .addHelpText('after', `\nExamples:\n${examples.map(([line, effect]) => `  ${line}\n      ${effect}`).join('\n')}`);
  for (const [argument, text] of takes) command.argument(argument, text);
  addOptions(command, options);
}

/** Whether a command has another option of this name: the host of a hook is an assistant. */
function takes({ options = [] }: CommandRow, flags: string): boolean {
  return options.some(([own]) => own === flags);
}

/** Commander's own form of repeatable options would also take the words that follow the value. */
function addOptions(command: Command, rows: readonly OptionRow[], heading?: string): Command {
  for (const [flags, text] of rows) {
    const option = new Option(flags.replace('...', ''), text);
    if (flags.includes('...')) option.argParser((value, before: string[] = []) => [...before, value]);
    if (heading !== undefined) option.helpGroup(heading);
    command.addOption(option);
  }
  return command;
}

/** Moves the command before its options, because people write it at either place. */
function commandFirst(argv: readonly string[]): string[] {
  const rows = [...SERVICE_OPTIONS, ...Object.values(COMMANDS).flatMap(({ options = [] }) => options)];
  const takesValue = new Set(rows.flatMap(([flags]) => (flags.includes('<') ? flags.split(' ')[0] : [])));
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? '';
    if (word === '--') break;
    if (!word.startsWith('-')) return [word, ...argv.slice(0, at), ...argv.slice(at + 1)];
    if (takesValue.has(word)) at++;
  }
  return [...argv];
}

type Given = CommandOptions & Parameters<typeof toFlags>[0] & { version?: boolean };

function toInvocation(name: CommandName | 'stdio', given: Given, names: readonly string[]): Invocation {
  const { port, host, dataDir, acceptLoss, version, ...options } = given;
  if (version) return { show: 'version' };
  if (name === 'hook' && options.try === undefined)
    throw new UsageError("'engraph hook' needs an event as its first word, or --try with a prompt", name);
  const flags = toFlags({ port, dataDir, acceptLoss, ...(name !== 'hook' && { host }) });
  return { command: name, flags, options: { ...options, ...(names.length > 0 && { names }) } };
}

function unknownCommand(word: string): string {
  const nearest = nearestName(word, Object.keys(COMMANDS));
  return `The command '${word}' does not exist${nearest === undefined ? '' : `; did you mean '${nearest}'?`}`;
}

function usageError({ code, message }: CommanderError, argv: readonly string[]): UsageError {
  const [word = '', asked] = commandFirst(argv);
  if (word === 'help' && asked !== undefined) return new UsageError(unknownCommand(asked));
  const command = word in COMMANDS ? (word as CommandName) : undefined;
  const name = /'([^']*)'/.exec(message)?.[1] ?? '';
  if (code === 'commander.unknownOption') return new UsageError(unknownOption(name, command), command);
  if (code === 'commander.optionMissingArgument') return new UsageError(`${name.split(' ')[0]} needs a value`, command);
  if (code === 'commander.missingArgument') return new UsageError(`'${command}' needs <${name}>`, command);
  return new UsageError(
    message
      .replace(/^error: /, '')
      .trimEnd()
      .replace(/\.$/, ''),
    command,
  );
}

function unknownOption(flag: string, command: CommandName | undefined): string {
  const named = (rows: readonly OptionRow[] = []) => rows.map(([flags]) => flags.split(' ')[0] ?? '');
  const owners = Object.entries(COMMANDS).filter(([, { options }]) => named(options).includes(flag));
  if (owners.length > 0)
    return `${flag} can be used only with 'engraph ${owners.map(([name]) => name).join("' and 'engraph ")}'`;
  const known = [...named(command && COMMANDS[command].options), ...named(SERVICE_OPTIONS), '--help', '--version'];
  const nearest = nearestName(flag, known);
  return `The option '${flag}' is unknown${nearest === undefined ? '' : `; did you mean '${nearest}'?`}`;
}
