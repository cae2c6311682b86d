/** `engraph status`: prints the state of the memory, and past and next runs of consolidation. */
import { plural } from '../../domain/shown-text.js';
import type { CommandParts } from '../command.js';
import { say } from '../say.js';
import { openedHealth, withMemory } from '../with-memory.js';

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
