/**
 * `engraph doctor` stores, recalls and deletes a probe, starts the commands of clients, and reports what works.
 * `engraph status` prints the state of the memory, and past and next runs of consolidation.
 */
import type { EngraphClient, HealthAnswer } from '../../client/client.js';
import { askLanguageModel, describeStores, LateFailure, probeChecks } from '../../client/self-check.js';
import type { Config, Environment } from '../../config.js';
import { userSystem } from '../../connect/config-file.js';
import { openConnections } from '../../connect/connections.js';
import { untrustedHooksFile } from '../../connect/entries.js';
import { MemoryError, messageOf } from '../../domain/errors.js';
import { plural } from '../../domain/shown-text.js';
import { systemClock } from '../../engine/clock.js';
import { createLogger } from '../../log.js';
import { createMemoryClient } from '../../sharing/memory.js';
import { type SharedMemory, shareMemory } from '../../sharing/shared-memory.js';
import { startClientChecks } from '../client-checks.js';
import { type CommandParts, say } from '../command.js';
import { type HookFailure, readFailures } from '../hook/input.js';
import { busyNote, LateError } from '../process-guards.js';
import { openedHealth, withMemory } from '../with-memory.js';

/** Length of the longest name of a client. */
const NAME_WIDTH = 14;

/** @returns 0 if all parts that an assistant needs work, or are only slow on a busy machine; otherwise 1 */
export async function runDoctor({ config, version, environment }: CommandParts): Promise<number> {
  say(`engraph ${version}, memories in ${config.remote?.url ?? config.dataDir}`);
  // Switch off the log, because its lines would appear between the doctor's own findings.
  const log = createLogger('silent');
  const memory = shareMemory({ config: config, version, log, clock: systemClock });
  const outcomes: boolean[] = [];
  try {
    outcomes.push(await check('open', () => open(memory, config)));
    // These start while the memory is examined. Once it is open, they do not compete to open it.
    const reportClients = await startClientChecks(environment);
    if (outcomes[0]) {
      const client = createMemoryClient({ memory, log, clock: systemClock });
      outcomes.push(await examine(client, config), await checkHooks(client, config));
    }
    outcomes.push(await checkTrust(environment));
    outcomes.push(await reportClients(check));
  } finally {
    await memory.close();
  }
  return conclude(outcomes.every(Boolean));
}

function conclude(works: boolean): number {
  const busy = busyNote();
  if (busy !== undefined) say(`${busy}, so everything takes longer than usual.`);
  say(works ? 'Everything works.' : 'Not everything works: see the lines marked FAILS.');
  return works ? 0 : 1;
}

async function open(memory: SharedMemory, { remote }: Config): Promise<string> {
  const owner = await memory.open();
  if (owner) return `process ${owner.pid} has the memory open, so the next checks go through that process`;
  return remote ? `the next checks go to ${remote.url}` : 'the memory opens';
}

async function examine(memory: EngraphClient, { isReadOnly, remote }: Config): Promise<boolean> {
  let health: HealthAnswer | undefined;
  const areWell = await check('stores', async () => {
    health = await openedHealth(memory);
    return describeStores(health);
  });
  // Skip the other checks, because each would wait just as long for an answer.
  if (!health) return false;
  if (isReadOnly) {
    say('  skipped store, recall, vectors and delete: they need a probe, and ENGRAPH_READ_ONLY forbids storing it');
    return areWell;
  }
  // Skip the check of the graph for a remote service, because the check needs the admin token of the service.
  const isShared = !remote && health.backend.graph.startsWith('FalkorDB');
  const outcomes = [areWell, !isShared || (await check('graph', () => graphNodes(memory)))];
  if (health.language_model) outcomes.push(await check('language model', () => askLanguageModel(memory)));
  for (const { name, run } of probeChecks(memory)) outcomes.push(await check(name, run));
  return outcomes.every(Boolean);
}

/** Says nothing as long as no host runs hooks. */
async function checkHooks(memory: EngraphClient, { dataDir }: Config): Promise<boolean> {
  const report = await reportHooks(memory, dataDir, systemClock.nowMs()).catch(() => undefined);
  return report === undefined || check('hooks', async () => report);
}

/** Codex says nothing about hooks that it does not run. */
async function checkTrust(environment: Environment): Promise<boolean> {
  const connections = await openConnections(environment).all();
  const file = await untrustedHooksFile(userSystem({ environment }), connections).catch(() => undefined);
  if (file === undefined) return true;
  return check('codex hooks', () => {
    throw new MemoryError('unavailable', `Codex does not run the hooks in ${file} yet`, {
      hint: 'Start codex, type /hooks and trust the hooks of engraph.',
    });
  });
}

async function graphNodes(memory: EngraphClient): Promise<string> {
  const { foreign_count: count = 0 } = await memory.sync({ dry_run: true });
  if (count === 0) return 'no other program has memories in it';
  return `${plural(count, 'memory')} of other programs, left alone; to import those of AutoMem: engraph import --from automem`;
}

/** Runs one check and prints its outcome. */
async function check(name: string, run: () => Promise<string>): Promise<boolean> {
  try {
    say(`  works  ${name.padEnd(NAME_WIDTH)}  ${await run()}`);
    return true;
  } catch (error) {
    const busy = isLate(error) ? busyNote() : undefined;
    if (busy !== undefined) {
      say(`  slow   ${name.padEnd(NAME_WIDTH)}  ${messageOf(error)}. ${busy}: try again when it is not`);
      return true;
    }
    const hint = hintOf(error);
    say(`  FAILS  ${name.padEnd(NAME_WIDTH)}  ${messageOf(error)}${hint === undefined ? '' : `. ${hint}`}`);
    return false;
  }
}

function isLate(error: unknown): boolean {
  return error instanceof LateError || error instanceof LateFailure;
}

function hintOf(error: unknown): string | undefined {
  return error instanceof MemoryError ? error.hint : undefined;
}

/** Older failures say little about the present state. */
const LOOKED_BACK_MS = 7 * 86_400_000;

/** @returns undefined if no host has run a hook yet */
async function reportHooks(memory: EngraphClient, folder: string, nowMs: number): Promise<string | undefined> {
  const since = new Date(nowMs - LOOKED_BACK_MS).toISOString();
  const failures = readFailures(folder).filter(({ at }) => at >= since);
  const { sessions } = await memory.hookLog();
  const recent = sessions.filter(({ updated_at }) => updated_at >= since);
  if (recent.length === 0 && failures.length === 0) return undefined;
  const given = recent.flatMap(({ injections }) => injections).length;
  const late = recent.reduce((sum, { silences }) => sum + (silences.too_late ?? 0) + (silences.failed ?? 0), 0);
  const gave = `memories were given ${plural(given, 'time')} in ${plural(recent.length, 'conversation')} of the last week`;
  const missed = late + failures.length;
  return missed === 0
    ? `${gave}, and never came too late`
    : `${gave}; ${plural(missed, 'hook')} came too late or failed${lastOf(failures)}`;
}

function lastOf(failures: readonly HookFailure[]): string {
  const last = failures.at(-1);
  return last === undefined ? '' : `, at last ${last.event} of ${last.host} at ${last.at}: ${last.reason}`;
}

const RUNS_SHOWN = 5;

/** @returns 1 if the memory is degraded, otherwise 0 */
export async function runStatus(parts: CommandParts): Promise<number> {
  return withMemory(parts, async memory => {
    const [health, consolidation, { projects }] = await Promise.all([
      openedHealth(memory),
      memory.consolidationStatus(),
      memory.projects(),
    ]);
    const { status, reasons = [], backend, embedding, enrichment } = health;
    say(`${status}: ${counted(health.memory_count, 'memory')}, ${counted(health.vector_count, 'vector')}`);
    for (const reason of reasons) say(`  ${reason}`);
    say(`graph: ${backend.graph}; vectors: ${backend.vectors}; embedding model: ${backend.embedding}`);
    say(`waiting: ${embedding?.pending ?? 'unknown'} to be embedded, ${enrichment.queue_depth} to be enriched`);
    for (const [task, next] of Object.entries(consolidation.next_runs))
      say(`next consolidation run '${task}': ${next ?? 'only when somebody starts it'}`);
    for (const listed of consolidation.history.slice(0, RUNS_SHOWN)) {
      const run = listed.state === 'failed' ? (await memory.consolidationRun(listed.run_id)).run : listed;
      const problem = run.problem === undefined ? '' : `: ${run.problem}`;
      const undone = run.undone_at === undefined ? '' : ', taken back';
      say(
        `  ${run.timestamp}  ${run.task} ${run.state}, changes: ${run.change_count}${undone}, run ${run.run_id}${problem}`,
      );
    }
    say(
      `proposals that wait for an answer: ${consolidation.proposals}; deleted memories in the bin: ${consolidation.binned}`,
    );
    for (const { project, former_name: former, memories } of projects)
      say(`project ${project} is also found under ${former} (${plural(memories, 'memory')})`);
    return status === 'healthy' ? 0 : 1;
  });
}

function counted(count: number | null, noun: string): string {
  return count === null ? `${noun} count unknown` : plural(count, noun);
}
