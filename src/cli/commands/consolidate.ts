/** `engraph consolidate`: lists the changes that consolidation would make, or carries out these changes. */
import type { ConsolidateAnswer, EngraphClient } from '../../client/client.js';
import { CONSOLIDATION_MODES, CONSOLIDATION_TASKS, type ConsolidationTask } from '../../domain/consolidation.js';
import { UsageError } from '../arguments.js';
import type { CommandParts } from '../command.js';
import { say } from '../say.js';
import { withMemory } from '../with-memory.js';

const LINES_MAX = 20;
const COUNTED: Record<ConsolidationTask, string> = {
  decay: 'relevances',
  creative: 'discovered links',
  cluster: 'groups',
  forget: 'memories to forget',
};

/** @returns 1 when a run was stopped, otherwise 0 */
export async function runConsolidate(parts: CommandParts): Promise<number> {
  const { apply = false, names: [given = 'full', ...rest] = [] } = parts.options;
  const mode = CONSOLIDATION_MODES.find(name => name === given);
  if (mode === undefined || rest.length > 0) {
    throw new UsageError(`'consolidate' takes one of ${CONSOLIDATION_MODES.join(', ')}`);
  }
  const tasks = mode === 'full' ? CONSOLIDATION_TASKS : [mode];
  return withMemory(parts, async memory => {
    const answers: TaskAnswer[] = [];
    for (const task of tasks) answers.push(await runOne(memory, task, apply));
    const wasStopped = answers.some(({ stopped }) => stopped !== undefined);
    const except = wasStopped ? ', except for the task that was stopped' : '';
    const wouldChange = answers.some(({ change_count }) => change_count > 0);
    if (!apply && !wouldChange) say('Nothing was written, and nothing would change.');
    else if (!apply) say(`Nothing was written. 'engraph consolidate ${mode} --apply' makes these changes${except}.`);
    return wasStopped ? 1 : 0;
  });
}

async function runOne(memory: EngraphClient, task: ConsolidationTask, isApplied: boolean): Promise<TaskAnswer> {
  if (process.stderr.isTTY) process.stderr.write(`${task} ...\r`);
  const answer = taskOf(await memory.consolidate({ mode: task, dry_run: !isApplied }));
  const { change_count, changes, duration_seconds, run_id, stopped } = answer;
  const count = answer.updates ?? answer.associations ?? answer.clusters ?? answer.forgotten ?? 0;
  const named = run_id === undefined ? '' : `, run ${run_id}`;
  say(`${task}: ${COUNTED[task]}: ${count}, changes: ${change_count}, ${duration_seconds.toFixed(1)} s${named}`);
  if (stopped !== undefined) say(`  stopped: ${stopped}`);
  for (const { kind, memory_ids, reason } of changes.slice(0, LINES_MAX)) {
    say(`  ${kind.padEnd(9)}  ${memory_ids.join(' ').padEnd(36)}  ${reason}`);
  }
  if (change_count > LINES_MAX) say(`  and ${change_count - LINES_MAX} more`);
  return answer;
}

type TaskAnswer = Extract<ConsolidateAnswer['consolidation'], { duration_seconds: number }>;

function taskOf({ consolidation }: ConsolidateAnswer): TaskAnswer {
  return consolidation as TaskAnswer;
}
