/** `engraph migrate`: copies a memory from one pair of stores to another. */
import type { Config } from '../../config.js';
import { type Migration, migrate } from '../../engine/migrate.js';
import { folderAt } from '../../memory-place.js';
import { UsageError } from '../arguments.js';
import { type CommandParts, say } from '../command.js';

const SIDES = /^(?:(servers)|embedded(?::(.+))?)$/;
const SAMPLE_MAX = 10;
/** The number of records of one kind that are copied between two lines of progress. */
const SAID_EVERY = 2_000;

/**
 * @returns 0 if everything has arrived, otherwise 1
 * @throws UsageError, and the MemoryErrors of `migrate`
 */
export async function runMigrate({ config, log, options }: CommandParts): Promise<number> {
  const from = sideOf(config, '--from', options.from);
  const to = sideOf(config, '--to', options.to);
  const { copied, verification } = await migrate({
    from,
    to,
    log,
    onProgress: progress => {
      if (progress.what === 'comparing') say('comparing');
      else if (progress.done % SAID_EVERY === 0 || progress.done === progress.total) say(lineOf(progress));
    },
  });
  return report({ copied, verification });
}

/**
 * Accepts `embedded` (the data folder), `embedded:FOLDER` (another folder) and `servers` (the servers in FALKORDB_… and
 * QDRANT_…).
 */
function sideOf(config: Config, flag: string, value: string | undefined): Config {
  const match = SIDES.exec(value ?? '');
  if (!match) throw new UsageError(`${flag} must be 'embedded', 'embedded:FOLDER' or 'servers'`);
  const [, isServers, folder] = match;
  if (isServers && !config.stores.falkordb && !config.stores.qdrant) {
    throw new UsageError(`${flag} servers needs FALKORDB_URL or QDRANT_URL in the environment`);
  }
  if (isServers) return config;
  const dataDir = folder === undefined ? config.dataDir : folderAt(folder);
  return { ...config, dataDir, stores: { falkordb: undefined, qdrant: undefined } };
}

function lineOf({ what, done, total }: { what: string; done: number; total?: number }): string {
  return total === undefined ? `copied ${done} ${what}` : `copied ${done} of ${total} ${what}`;
}

function report({ copied, verification }: Migration): number {
  const { memories, relations, nodes, vectors, digest, differing, others, withoutVector } = verification;
  say(`source: ${memories} memories, ${relations} relations, ${nodes} other nodes; sha256 ${digest}`);
  const equal = memories - differing.length - copied.kept.length;
  say(`target: ${equal} memories equal, ${vectors} with their vector`);
  if (withoutVector > 0)
    say(`${withoutVector} vectors were not copied: Engraph makes them again when it runs with the target`);
  if (others > 0) say(`${others} memories of the target are not in the source: they stay unchanged`);
  if (copied.kept.length > 0) say(`${copied.kept.length} memories are newer in the target and stay unchanged there`);
  if (differing.length === 0) {
    say('Everything has arrived. Nothing was deleted at the source.');
    return 0;
  }
  const more = differing.length > SAMPLE_MAX ? ' …' : '';
  say(`${differing.length} differ: ${differing.slice(0, SAMPLE_MAX).join(' ')}${more}`);
  return 1;
}
