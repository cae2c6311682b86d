/** Open proposals of consolidation, each with the differences between its two memories. */
import type { VNode } from 'preact';
import type { ProposalsAnswer } from '../../client/client.js';
import { html } from '../html.js';
import { hrefOfMemory } from '../shell/route.js';
import { useShell } from '../shell/shell.js';
import { useRequest } from '../shell/use-request.js';
import { diffWords } from './diff.js';

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

export function Proposals(): VNode {
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
