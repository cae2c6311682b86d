/** Shows the former versions of a memory, with buttons that take edits back. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { HistoryAnswer, MemoryAnswer } from '../../client/client.js';
import { html } from '../html.js';
import { diffWords } from '../review/diff.js';
import { useShell } from '../shell/shell.js';
import { Time } from '../shell/times.js';
import { useRequest } from '../shell/use-request.js';

type Version = HistoryAnswer['versions'][number];

/** Requests the versions only after the person has opened this section. */
export function History({ memory }: { memory: MemoryAnswer }): VNode {
  const [isOpen, setOpen] = useState(false);
  return html`<section><h2>History</h2>
    <details onToggle=${(event: Event) => setOpen((event.target as HTMLDetailsElement).open)}>
      <summary data-item>What it was before its last edits</summary>
      ${isOpen && html`<${Versions} memory=${memory} />`}
    </details></section>`;
}

function Versions({ memory }: { memory: MemoryAnswer }): VNode {
  const { service, revision } = useShell();
  const { value, error } = useRequest(() => service.history(memory.id), [memory.id, service, revision]);
  const versions = value?.versions ?? [];
  if (error) return html`<p class="error" role="alert">${error}</p>`;
  if (value && versions.length === 0) return html`<p class="meta">Nobody has edited this memory.</p>`;
  return html`<ul class="uses versions">${versions.map(
    (version, index) =>
      html`<${Entry} key=${version.version} id=${memory.id} version=${version} isLatest=${index === 0}
        contentAfter=${versions[index - 1]?.content ?? memory.content} />`,
  )}</ul>`;
}

interface EntryProps {
  id: string;
  version: Version;
  /** Whether this version is the one before the last edit. */
  isLatest: boolean;
  contentAfter: string;
}

function Entry({ id, version, isLatest, contentAfter }: EntryProps): VNode {
  const { settings, service, attempt, notify } = useShell();
  const { replaced_at, changed, content } = version;
  const others = changed.filter(name => name !== 'content');
  const takeBack = () =>
    attempt(async () => {
      await service.restoreVersion(id, version.version);
      notify({ text: isLatest ? 'The edit was taken back.' : 'The edits were taken back.' });
    });
  return html`<li>
    <p class="meta">Edited on <${Time} at=${replaced_at} exact />: ${changed.join(', ')}</p>
    ${
      changed.includes('content') &&
      html`<p class="diff">${diffWords(content, contentAfter).map(({ kind, text }) => {
        if (kind === 'same') return text;
        return kind === 'removed' ? html`<del>${text}</del>` : html`<ins>${text}</ins>`;
      })}</p>`
    }
    ${
      others.length > 0 &&
      html`<dl class="facts">${others.map(name => html`<dt>${name} before</dt><dd>${formerValue(version, name)}</dd>`)}</dl>`
    }
    ${
      !settings.isReadOnly &&
      html`<p class="actions"><button type="button" onClick=${() => void takeBack()}>${
        isLatest ? 'Take this edit back' : 'Take this edit and all later ones back'
      }</button></p>`
    }</li>`;
}

const METADATA_PREFIX = 'metadata.';

/** @param name an entry of `version.changed`, such as `importance` or `metadata.source` */
export function formerValue(version: Version, name: string): string {
  const value = name.startsWith(METADATA_PREFIX)
    ? version.metadata[name.slice(METADATA_PREFIX.length)]
    : version[name as keyof Version];
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return 'none';
  if (Array.isArray(value) && value.every(each => typeof each === 'string')) return value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
