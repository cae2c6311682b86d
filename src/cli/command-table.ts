/** What `engraph COMMAND --help` says about each command, and which arguments and options the command takes. */
import type { CommandName } from './arguments.js';

/** The flags as commander reads them, and what the option does. `...` marks an option that may be repeated. */
export type OptionRow = readonly [flags: string, text: string];

export interface CommandRow {
  group: string;
  /** The arguments as commander reads them. */
  takes?: readonly (readonly [argument: string, text: string])[];
  /** One line for the list of commands. */
  summary: string;
  /** More than the summary says, for the help of the command. */
  more?: string;
  options?: readonly OptionRow[];
  examples: readonly (readonly [command: string, effect: string])[];
}

const USE = 'Use the memory:';
export const SET_UP = 'Set up and check:';
const KEEP = 'Keep and move:';
const STARTED = 'Started by other programs:';

/** Options of every command that opens the memory. */
export const SERVICE_OPTIONS: readonly OptionRow[] = [
  ['--port <number>', 'port of the REST interface, 0 for any free port (PORT, default 8001)'],
  ['--host <name>', 'address to listen on (HOST, default 127.0.0.1)'],
  ['--data-dir <dir>', 'folder of the memories (ENGRAPH_DATA_DIR, default: your user data folder)'],
  ['--accept-loss', 'start although some stored memories are missing (ENGRAPH_ACCEPT_LOSS)'],
];

const TAG: OptionRow = ['--tag <tag...>', 'a tag; repeat it for more'];
const JSON_ANSWER: OptionRow = ['--json', 'print the answer of the REST interface'];

/** The hooks of assistants run `hook EVENT`, which `bin/engraph.js` handles without loading this file. */
export const COMMANDS: Readonly<Record<CommandName, CommandRow>> = {
  connect: {
    group: SET_UP,
    takes: [['[client...]', 'names of assistants, such as claude-code; without names, every assistant found here']],
    summary: 'make the assistants on this machine start engraph',
    more: 'Without names it asks once. docs/connect.md says what is written where.',
    options: [
      ['--print', 'only show what would be written'],
      ['--remove', 'remove exactly what connect wrote; with --force, every entry of engraph'],
      ['--project', 'write into the files of the project in this folder, not of the user'],
      ['--force', 'replace an entry that somebody else wrote; a copy is kept'],
      ['--yes', 'do not ask'],
      ['--hooks', 'also add matching memories to each prompt automatically, by hooks or a file of rules'],
      ['--plugin <dir>', 'write one plugin for Claude Code and one for Codex into a folder'],
      ['--env <name...>', 'an environment variable that the clients pass to engraph; repeat it for more'],
    ],
    examples: [
      ['engraph connect', 'find the assistants, ask once, and connect them'],
      ['engraph connect claude-code --hooks', 'also add matching memories to each prompt'],
      ['engraph connect --remove', 'remove what was written'],
    ],
  },
  doctor: {
    group: SET_UP,
    summary: 'check storing, recalling and deleting, and whether assistants can start engraph',
    examples: [['engraph doctor', 'print what works and what does not']],
  },
  view: {
    group: USE,
    summary: 'open the web page that shows the memory',
    examples: [['engraph view', 'search, correct and delete memories in the browser']],
  },
  store: {
    group: USE,
    takes: [['<text...>', "the memory in your words; '-' reads it from stdin"]],
    summary: 'store a memory',
    more: 'Prints the id, and older memories that the new one may replace.',
    options: [
      TAG,
      ['--type <type>', 'Decision, Pattern, Preference, Style, Habit, Insight or Context; default: by its words'],
      ['--importance <number>', 'from 0 to 1, default 0.5'],
      ['--supersedes <id>', 'the older memory that this one replaces'],
      ['--allow-credentials', 'store the text even if it seems to contain a password or a key'],
      JSON_ANSWER,
    ],
    examples: [
      ['engraph store We chose PostgreSQL for the shop --tag shop', 'store a fact with a tag'],
      ['git log -1 --format=%B | engraph store - --type Decision', 'store what another program prints'],
    ],
  },
  recall: {
    group: USE,
    takes: [['[question...]', 'a question or words; without them, the most important memories']],
    summary: 'find memories by a question',
    more: 'Exit code: 0 if memories were found, 1 if none was found, 2 if the command failed.',
    options: [
      TAG,
      ['--time <words>', "only memories of this time, such as 'last week' or 'in May 2026'"],
      ['--limit <number>', 'at most this many memories, default 5'],
      ['--verbose', 'also print id, score and importance, and the tags of names'],
      JSON_ANSWER,
    ],
    examples: [
      ['engraph recall which database does the shop use', 'print what was stored about it'],
      ["engraph recall deploy --tag shop --json | jq -r '.results[].memory.content'", 'hand it to another program'],
    ],
  },
  status: {
    group: USE,
    summary: 'show the health of the memory, and past and next runs of consolidation',
    examples: [['engraph status', 'print the numbers, and what waits to be done']],
  },
  consolidate: {
    group: KEEP,
    takes: [['[task]', 'decay, creative, cluster, forget, or full for all four (default)']],
    summary: 'list what would fade, be linked, grouped or forgotten; --apply does it',
    options: [
      ['--apply', 'make the changes'],
      ['--verbose', 'also print the ids of the memories'],
    ],
    examples: [
      ['engraph consolidate decay', 'list which memories would fade'],
      ['engraph consolidate --apply', 'run all four tasks'],
    ],
  },
  restore: {
    group: KEEP,
    takes: [['[id...]', 'ids of deleted memories; without ids, list the deleted memories']],
    summary: 'list deleted memories, or restore them',
    examples: [
      ['engraph restore', 'list the deleted memories'],
      ['engraph restore 7b0c7e0e-6c3c-4b0e-9f5e-0a3c3f6d2a11', 'restore one of them'],
    ],
  },
  export: {
    group: KEEP,
    takes: [['<file>', "the file to write, '-' for stdout; with --format markdown a folder"]],
    summary: 'write all data into a file, or notes in Markdown into a folder',
    options: [
      ['--since <time>', 'only records whose updated_at is not before this time (ISO 8601); not for backups'],
      ['--format <name>', "'markdown' writes one note for each memory"],
    ],
    examples: [
      ['engraph export memories.jsonl', 'write everything'],
      ['engraph export notes --format markdown', 'write a folder of notes'],
    ],
  },
  import: {
    group: KEEP,
    takes: [['<path>', 'an export, the files of another memory service, or a file of rules such as CLAUDE.md']],
    summary: 'import an export, or the memories of another program',
    more: 'docs/import.md lists the sources.',
    options: [
      ['--from <source>', 'the form of the source, if it is not recognized'],
      ['--dry-run', 'only report what would be imported'],
      ['--skip-invalid', 'import the other records if some records are broken'],
      ['--allow-credentials', 'import records that seem to contain a password or a key, too'],
    ],
    examples: [
      ['engraph import memories.jsonl --dry-run', 'say what an import would change'],
      ['engraph import ~/.claude/projects --from claude-code', 'import what Claude Code has noted'],
    ],
  },
  migrate: {
    group: KEEP,
    summary: 'copy a memory to other stores, and compare',
    more: "A side is 'embedded' (the data folder), 'embedded:<dir>' or 'servers' (FALKORDB_... and QDRANT_...).",
    options: [
      ['--from <side>', 'the stores to read'],
      ['--to <side>', 'the stores to write'],
    ],
    examples: [['engraph migrate --from embedded --to servers', 'copy the data folder to FalkorDB and Qdrant']],
  },
  serve: {
    group: STARTED,
    summary: 'serve REST, and MCP over HTTP at /mcp, until SIGTERM or Ctrl-C',
    examples: [['engraph serve --port 8010', 'serve on another port']],
  },
  hook: {
    group: STARTED,
    takes: [['[event]', 'session-start, prompt, stop, pre-compact or session-end']],
    summary: 'answer a hook of an assistant',
    more: "Reads the assistant's JSON on stdin, and answers on stdout in the assistant's form.",
    options: [
      ['--host <name>', 'the assistant that calls, such as claude-code'],
      ['--try <prompt>', 'show which memories a prompt would be given, and why'],
    ],
    examples: [
      ['engraph hook prompt --host claude-code', 'what the hooks of Claude Code run'],
      ["engraph hook --try 'How do we deploy the shop?'", 'see what the assistant would be given'],
    ],
  },
};
