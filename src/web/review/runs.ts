/** Runs of consolidation, each with its changes and a button that undoes it. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { ConsolidationStatusAnswer, RunDetailsAnswer } from '../../client/client.js';
import { html } from '../html.js';
import { hrefOfMemory } from '../shell/route.js';
import { useShell } from '../shell/shell.js';
import { Time } from '../shell/times.js';
import { useRequest } from '../shell/use-request.js';

type Run = ConsolidationStatusAnswer['history'][number];

const TASKS: Record<Run['task'], string> = {
  decay: 'Fading',
  creative: 'Linking',
  cluster: 'Grouping',
  forget: 'Forgetting',
};

export function Runs(): VNode {
  const { service, revision } = useShell();
  const { value, error } = useRequest(() => service.consolidationStatus(), [service, revision]);
  const runs = value?.history ?? [];
  return html`<section><h2>Runs</h2>
    ${error && html`<p class="error" role="alert">${error}</p>`}
    ${
      value && runs.length === 0
        ? html`<div class="empty"><p>No run yet. By schedule, consolidation lets memories fade, links and groups them. The
          command ${html`<code>engraph consolidate</code>`} says what a run would do.</p></div>`
        : html`<ul class="runs">${runs.map(run => html`<${RunEntry} key=${run.run_id} run=${run} />`)}</ul>`
    }</section>`;
}

function RunEntry({ run }: { run: Run }): VNode {
  const { settings, asAdmin, attempt, notify } = useShell();
  const [isOpen, setOpen] = useState(false);
  const { run_id, task, timestamp, state, change_count, problem, undone_at } = run;
  const undo = async () => {
    const service = await asAdmin();
    if (service === undefined) return;
    await attempt(async () => {
      const { undone, skipped } = await service.undoConsolidation(run_id);
      notify({ text: `${undone} changes were taken back, ${skipped} were left as they are.` });
    });
  };
  const canUndo = !settings.isReadOnly && settings.hasAdminToken && change_count > 0 && undone_at === undefined;
  return html`<li>
    <details onToggle=${(event: Event) => setOpen((event.target as HTMLDetailsElement).open)}>
      <summary data-item><${Time} at=${timestamp} exact /> ${TASKS[task]}: ${change_count}
        ${change_count === 1 ? ' change' : ' changes'}${state !== 'done' && `, ${state}`}${undone_at && ', taken back'}</summary>
      ${problem && html`<p class="error">${problem}</p>`}
      ${isOpen && html`<${Changes} runId=${run_id} />`}
    </details>
    ${canUndo && html`<button type="button" onClick=${() => void undo()}>Undo this run</button>`}
    ${!settings.hasAdminToken && change_count > 0 && undone_at === undefined && html`<p class="meta">Undoing needs ADMIN_API_TOKEN.</p>`}
  </li>`;
}

function Changes({ runId }: { runId: string }): VNode {
  const { service } = useShell();
  const [page, setPage] = useState(0);
  const { value, error } = useRequest<RunDetailsAnswer>(
    () => service.consolidationRun(runId, page),
    [runId, page, service],
  );
  if (error) return html`<p class="error">${error}</p>`;
  const next = value?.next_page ?? null;
  return html`<ul class="changes">${value?.changes.map(
    ({ kind, reason, text, memory_ids }) => html`<li><span class="badge">${kind}</span> ${reason}${text && `: ${text}`}
      ${memory_ids.slice(0, 5).map((id, index) => html` <a href=${hrefOfMemory(id)}>memory ${index + 1}</a>`)}</li>`,
  )}</ul>
  <p class="actions">${page > 0 && html`<button type="button" onClick=${() => setPage(page - 1)}>Before</button>`}
  ${next !== null && html`<button type="button" onClick=${() => setPage(next)}>More</button>`}</p>`;
}
