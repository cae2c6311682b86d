/** Shows the proposals of consolidation, memories with credentials, the runs of consolidation, and the bin. */
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type {
  BinAnswer,
  ConsolidationStatusAnswer,
  CredentialsAnswer,
  ProposalsAnswer,
  RunDetailsAnswer,
} from '../../client/client.js';
import { html } from '../html.js';
import { diffWords } from '../memory/history.js';
import { hrefOfMemory, navigate } from '../shell/route.js';
import { failureMessage, useRequest, useShell } from '../shell/shell.js';
import { Time } from '../shell/times.js';

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
    return { ...found, error: failureMessage(error) };
  }
}

function Entry({ finding: { id, kinds, excerpt, only_in_history } }: { finding: Finding }): VNode {
  return html`<li><a data-item href=${hrefOfMemory(id)}>${excerpt}</a>
    <span class="meta">${kinds.join(', ')}${only_in_history && ', only in a former version'}</span></li>`;
}

type Open = ProposalsAnswer['proposals'][number];

/** Maximum number of proposals shown. After each answer, the page loads the list again. */
const SHOWN_MAX = 200;

const HEADINGS: Record<Open['kind'], string> = { duplicate: 'Duplicates', replaced: 'May be out of date' };

const KINDS: Record<Open['kind'], string> = {
  duplicate: 'Both say the same',
  replaced: 'The newer one corrects the older one',
};

const SETTLED = {
  accept: 'Accepted: the newer memory replaces the older one.',
  dismiss: 'Dismissed: this pair will not be proposed again.',
};

function Proposals(): VNode {
  const { service, revision } = useShell();
  const { value, error } = useRequest(() => service.proposals(SHOWN_MAX), [service, revision]);
  const proposals = value?.proposals ?? [];
  const kinds = Object.keys(HEADINGS) as Open['kind'][];
  return html`<section>
    ${error && html`<p class="error" role="alert">${error}</p>`}
    ${
      value &&
      proposals.length === 0 &&
      html`<h2>Proposals</h2><div class="empty"><p>Nothing waits for an answer. Consolidation proposes here what looks like a
        duplicate or out of date, and changes neither by itself.</p></div>`
    }
    ${kinds.map(kind => html`<${OfKind} kind=${kind} proposals=${proposals.filter(each => each.kind === kind)} />`)}
    ${proposals.length === SHOWN_MAX && html`<p class="meta">More may follow when these are answered.</p>`}</section>`;
}

function OfKind({ kind, proposals }: { kind: Open['kind']; proposals: readonly Open[] }): VNode | null {
  if (proposals.length === 0) return null;
  return html`<h2>${HEADINGS[kind]} (${proposals.length})</h2>
    <ul class="proposals">${proposals.map(each => html`<${Proposal} key=${each.id} proposal=${each} />`)}</ul>`;
}

function Proposal({ proposal }: { proposal: Open }): VNode {
  const { settings, service, attempt, notify } = useShell();
  const { id, kind, reason, older_id, newer_id, older_content, newer_content } = proposal;
  const settle = (action: 'accept' | 'dismiss') =>
    attempt(async () => {
      await service.settleProposal(id, action);
      notify({
        text: SETTLED[action],
        undo: async () => {
          await service.settleProposal(id, 'reopen');
        },
      });
    });
  return html`<li class="proposal">
    <h3><a data-item href=${hrefOfMemory(newer_id)}>${KINDS[kind]}</a></h3>
    <p class="diff">${
      older_content === null || newer_content === null
        ? 'One of the two memories is gone.'
        : html`<${Diff} before=${older_content} after=${newer_content} />`
    }</p>
    <p class="meta row"><span>${reason}</span> <a href=${hrefOfMemory(older_id)}>the older one</a>
      <a href=${hrefOfMemory(newer_id)}>the newer one</a></p>
    ${
      !settings.isReadOnly &&
      html`<p class="actions"><button type="button" class="primary" onClick=${() => void settle('accept')}>Accept</button>
      <button type="button" onClick=${() => void settle('dismiss')}>Dismiss</button></p>`
    }</li>`;
}

/**
 * Strikes out words that only the older text has, and underlines words that only the newer text has, because
 * some people cannot distinguish colours.
 */
function Diff({ before, after }: { before: string; after: string }): VNode {
  return html`${diffWords(before, after).map(({ kind, text }) => {
    if (kind === 'same') return text;
    return kind === 'removed' ? html`<del>${text}</del>` : html`<ins>${text}</ins>`;
  })}`;
}
