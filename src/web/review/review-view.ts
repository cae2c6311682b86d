/** Shows the proposals of consolidation, memories with credentials, the runs of consolidation, and the bin. */
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { BinAnswer, ConsolidationStatusAnswer, CredentialsAnswer, RunDetailsAnswer } from '../../client/client.js';
import { html } from '../html.js';
import { hrefOfMemory, navigate } from '../shell/route.js';
import { messageOf, useShell } from '../shell/shell.js';
import { Time } from '../shell/times.js';
import { useRequest } from '../shell/use-request.js';
import { Proposals } from './proposals.js';

export function ReviewView(): VNode {
  return html`<h1>Review</h1><${Proposals} /><${Credentials} /><${Runs} /><${Bin} />`;
}

/** A button loads the bin, because reading the bin needs the admin token. */
function Bin(): VNode | null {
  const { settings, asAdmin, attempt, notify } = useShell();
  const [bin, setBin] = useState<BinAnswer | undefined>();
  if (!settings.hasAdminToken) return null;
  const open = async () => {
    const service = await asAdmin();
    if (service) await attempt(async () => setBin(await service.bin()));
  };
  const restore = async (id: string) => {
    const service = await asAdmin();
    if (service === undefined) return;
    await attempt(async () => {
      await service.restore([id]);
      setBin(await service.bin());
      notify({ text: 'Restored.' });
      navigate(hrefOfMemory(id));
    });
  };
  return html`<section><h2>Bin</h2>
    ${bin === undefined && html`<p><button type="button" onClick=${() => void open()}>Show forgotten memories</button></p>`}
    ${bin?.memories.length === 0 && html`<div class="empty"><p>The bin is empty. Forgetting is off until its thresholds are set.</p></div>`}
    <ul class="bin">${bin?.memories.map(
      ({
        id,
        content,
        deleted_at,
        reason,
      }) => html`<li>${content} <span class="meta"><${Time} at=${deleted_at} exact />, ${reason}</span>
      ${!settings.isReadOnly && html`<button type="button" onClick=${() => void restore(id)}>Restore</button>`}</li>`,
    )}</ul></section>`;
}

type Run = ConsolidationStatusAnswer['history'][number];

const TASKS: Record<Run['task'], string> = {
  decay: 'Fading',
  creative: 'Linking',
  cluster: 'Grouping',
  forget: 'Forgetting',
};

function Runs(): VNode {
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

type Finding = CredentialsAnswer['findings'][number];

interface Search {
  findings: readonly Finding[];
  scanned: number;
  /** Id after which the search continues; undefined before it starts, null when all memories were read. */
  next: string | null | undefined;
  error?: string | undefined;
}

/** Maximum number of memories that the service reads for one request. Such a request takes a tenth of a second. */
const READ_AT_ONCE = 2_000;
const NOTHING_READ: Search = { findings: [], scanned: 0, next: undefined };

/** The search starts only when the person presses the button, because the search reads every memory. */
function Credentials(): VNode {
  const { service } = useShell();
  const [search, setSearch] = useState(NOTHING_READ);
  const [isRunning, setRunning] = useState(false);
  const isWanted = useRef(false);
  const stop = () => {
    isWanted.current = false;
  };
  useEffect(() => stop, []);
  const run = async (from: Search) => {
    isWanted.current = true;
    setRunning(true);
    let found = { ...from, error: undefined } as Search;
    while (isWanted.current && found.next !== null) {
      found = await readPage(found, after => service.credentials({ limit: READ_AT_ONCE, ...(after && { after }) }));
      setSearch(found);
      if (found.error !== undefined) break;
    }
    setRunning(false);
  };
  const { findings, scanned, next, error } = search;
  const isBegun = next !== undefined;
  return html`<section><h2>Credentials found${isBegun && ` (${findings.length})`}</h2>
    <p class="meta" role="status">${
      isBegun || isRunning
        ? `${scanned} memories read${next === null ? ', which are all' : isRunning ? '…' : ''}`
        : 'Everybody who recalls a memory can read a password or a key in it. This reads all memories and says which seem to contain one.'
    }</p>
    ${error && html`<p class="error" role="alert">${error}</p>`}
    <ul class="findings">${findings.map(finding => html`<${Entry} key=${finding.id} finding=${finding} />`)}</ul>
    <p class="actions">${
      isRunning
        ? html`<button type="button" onClick=${stop}>Stop</button>`
        : html`<button type="button" onClick=${() => void run(next ? search : NOTHING_READ)}>${
            next ? 'Go on' : isBegun ? 'Look again' : 'Look for credentials'
          }</button>`
    }</p></section>`;
}

async function readPage(found: Search, send: (after: string | null | undefined) => Promise<CredentialsAnswer>) {
  try {
    const { findings, scanned, next } = await send(found.next);
    return { findings: [...found.findings, ...findings], scanned: found.scanned + scanned, next };
  } catch (error) {
    return { ...found, error: messageOf(error) };
  }
}

function Entry({ finding: { id, kinds, excerpt, only_in_history } }: { finding: Finding }): VNode {
  return html`<li><a data-item href=${hrefOfMemory(id)}>${excerpt}</a>
    <span class="meta">${kinds.join(', ')}${only_in_history && ', only in a former version'}</span></li>`;
}
