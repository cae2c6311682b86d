/**
 * `engraph consolidate` lists the changes that consolidation would make, or carries them out. `engraph restore` brings
 * deleted memories back.
 */
import type { ConsolidateAnswer, EngraphClient } from '../../client/client.js';
import { CONSOLIDATION_MODES, CONSOLIDATION_TASKS, type ConsolidationTask } from '../../domain/consolidation.js';
import { onOneLine } from '../../domain/shown-text.js';
import { beginningOf } from '../../domain/text/characters.js';
import { UsageError } from '../arguments.js';
import { type CommandParts, say } from '../command.js';
import { withMemory } from '../with-memory.js';

const LINES_MAX = 20;
/** Number of memories of one change, such as a group, whose texts are shown. */
const TEXTS_MAX = 3;
const TEXT_MAX_LENGTH = 60;
/** The service lists at most this many deleted memories. */
const BIN_MAX = 500;
const COUNTED: Record<ConsolidationTask, string> = {
  decay: 'relevances',
  creative: 'discovered links',
  cluster: 'groups',
  forget: 'memories to forget',
};

/** @returns 1 when a run was stopped, otherwise 0 */
export async function runConsolidate(parts: CommandParts): Promise<number> {
  const { apply = false, verbose = false, names: [given = 'full', ...rest] = [] } = parts.options;
  const mode = CONSOLIDATION_MODES.find(name => name === given);
  if (mode === undefined || rest.length > 0) {
    throw new UsageError(`'consolidate' takes one of ${CONSOLIDATION_MODES.join(', ')}`);
  }
  const tasks = mode === 'full' ? CONSOLIDATION_TASKS : [mode];
  return withMemory(parts, async memory => {
    const answers: TaskAnswer[] = [];
    for (const task of tasks) answers.push(await runOne(memory, { task, isApplied: apply, isVerbose: verbose }));
    const wasStopped = answers.some(({ stopped }) => stopped !== undefined);
    const except = wasStopped ? ', except for the task that was stopped' : '';
    const wouldChange = answers.some(({ change_count }) => change_count > 0);
    if (!apply && !wouldChange) say('Nothing was written, and nothing would change.');
    else if (!apply) say(`Nothing was written. 'engraph consolidate ${mode} --apply' makes these changes${except}.`);
    return wasStopped ? 1 : 0;
  });
}

interface RunParts {
  task: ConsolidationTask;
  isApplied: boolean;
  isVerbose: boolean;
}

async function runOne(memory: EngraphClient, { task, isApplied, isVerbose }: RunParts): Promise<TaskAnswer> {
  if (process.stderr.isTTY) process.stderr.write(`${task} ...\r`);
  const answer = taskOf(await memory.consolidate({ mode: task, dry_run: !isApplied }));
  const { change_count, changes, duration_seconds, run_id, stopped } = answer;
  const count = answer.updates ?? answer.associations ?? answer.clusters ?? answer.forgotten ?? 0;
  const named = run_id === undefined ? '' : `, run ${run_id}`;
  say(`${task}: ${COUNTED[task]}: ${count}, changes: ${change_count}, ${duration_seconds.toFixed(1)} s${named}`);
  if (stopped !== undefined) say(`  stopped: ${stopped}`);
  const shown = changes.slice(0, LINES_MAX);
  const texts = await textsOf(memory, shown.flatMap(shownIds));
  for (const change of shown) {
    const { kind, memory_ids: ids, reason } = change;
    const more = ids.length > TEXTS_MAX ? ` and ${ids.length - TEXTS_MAX} more` : '';
    say(
      `  ${kind.padEnd(9)}  ${shownIds(change)
        .map(id => texts.get(id))
        .join(', ')}${more}: ${reason}`,
    );
    if (isVerbose) say(`             ${ids.join(' ')}`);
  }
  if (change_count > LINES_MAX) say(`  and ${change_count - LINES_MAX} more`);
  return answer;
}

function shownIds({ memory_ids }: Pick<TaskAnswer['changes'][number], 'memory_ids'>): string[] {
  return memory_ids.slice(0, TEXTS_MAX);
}

/** The beginnings of the contents in quotes; the id where a content cannot be read. Looks into the bin, too. */
async function textsOf(memory: EngraphClient, ids: readonly string[]): Promise<Map<string, string>> {
  const distinct = [...new Set(ids)];
  const read = async (id: string): Promise<[string, string | undefined]> => [
    id,
    await memory.get(id).then(
      ({ content }) => content,
      () => undefined,
    ),
  ];
  const contents = new Map(await Promise.all(distinct.map(read)));
  if (distinct.some(id => contents.get(id) === undefined)) {
    // A service at a URL shows its bin only to its operator.
    const { memories } = await memory.bin(BIN_MAX).catch(() => ({ memories: [] }));
    for (const { id, content } of memories) contents.set(id, contents.get(id) ?? content);
  }
  return new Map(distinct.map(id => [id, quoted(contents.get(id)) ?? id]));
}

function quoted(content: string | undefined): string | undefined {
  if (content === undefined) return undefined;
  const start = beginningOf(onOneLine(content), TEXT_MAX_LENGTH);
  return `"${start}${start.length < content.length ? '…' : ''}"`;
}

type TaskAnswer = Extract<ConsolidateAnswer['consolidation'], { duration_seconds: number }>;

function taskOf({ consolidation }: ConsolidateAnswer): TaskAnswer {
  return consolidation as TaskAnswer;
}

/** Maximum number of characters that are shown of each memory. */
const SHOWN_MAX = 120;

/** @returns 1 if a memory was not in the bin, otherwise 0 */
export async function runRestore(parts: CommandParts): Promise<number> {
  const { names: ids = [] } = parts.options;
  return withMemory(parts, async memory => {
    if (ids.length === 0) {
      const { memories } = await memory.bin(BIN_MAX);
      const { binned } = await memory.consolidationStatus();
      if (memories.length === 0) say('The bin is empty.');
      for (const { id, deleted_at, content, reason } of memories) {
        say(`${id}  ${deleted_at}  ${beginningOf(content, SHOWN_MAX)}  (${reason})`);
      }
      if (binned > memories.length) say(`and ${binned - memories.length} more, which were deleted before these`);
      return 0;
    }
    const { restored, unknown } = await memory.restore(ids);
    for (const id of restored) say(`${id} is back`);
    for (const id of unknown) say(`${id} is not in the bin`);
    return unknown.length === 0 ? 0 : 1;
  });
}
