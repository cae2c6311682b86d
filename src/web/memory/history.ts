/**
 * Shows the former versions of a memory and what changed between them, with buttons that take edits and deletions
 * back.
 */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type {
  AssociationRequest,
  HistoryAnswer,
  MemoryAnswer,
  MemoryPatchRequest,
  StoreRequest,
} from '../../client/client.js';
import type { RelationType } from '../../domain/relation.js';
import { html } from '../html.js';
import { useRequest, useShell } from '../shell/shell.js';
import { Time } from '../shell/times.js';

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

/** Types of edges that the service creates itself. */
const OF_THE_SERVICE: ReadonlySet<RelationType> = new Set(['SIMILAR_TO', 'PRECEDED_BY', 'DISCOVERED']);

/**
 * Returns a request that stores the memory again under its id. The page does not have the vector of the memory, so the
 * service makes a new vector.
 */
export function toStoreRequest(memory: MemoryAnswer): StoreRequest {
  const { id, content, type, confidence, tags, importance, metadata } = memory;
  const { timestamp, updated_at, last_accessed, t_valid, t_invalid } = memory;
  return {
    ...{ id, content, type, confidence, tags, importance, metadata, timestamp, updated_at, last_accessed },
    ...(t_valid !== undefined && { t_valid }),
    ...(t_invalid !== undefined && { t_invalid }),
  };
}

/** The relations that callers created, each in its own direction. */
export function toAssociations({ id, relations }: MemoryAnswer): AssociationRequest[] {
  return relations
    .filter(({ type }) => !OF_THE_SERVICE.has(type))
    .map(({ memory, direction, updated_at: _time, score: _score, count: _count, ...edge }) => {
      const [memory1_id, memory2_id] = direction === 'outgoing' ? [id, memory.id] : [memory.id, id];
      return { ...edge, memory1_id, memory2_id } as AssociationRequest;
    });
}

export type MadeEdit = Pick<MemoryPatchRequest, 'content' | 'type' | 'tags' | 'importance' | 't_valid' | 't_invalid'>;

/** The fields of an edit that differ from the memory. */
export function changedFields(memory: MemoryAnswer, edit: MadeEdit): MadeEdit {
  const present: MadeEdit = { ...memory, t_valid: memory.t_valid ?? null, t_invalid: memory.t_invalid ?? null };
  const names = Object.keys(edit) as (keyof MadeEdit)[];
  return Object.fromEntries(
    names.filter(name => JSON.stringify(edit[name]) !== JSON.stringify(present[name])).map(name => [name, edit[name]]),
  );
}

/** The change that restores the previous values of the changed fields. */
export function undoOf(memory: MemoryAnswer, changed: MadeEdit): MadeEdit {
  const former: MadeEdit = { ...memory, t_valid: memory.t_valid ?? null, t_invalid: memory.t_invalid ?? null };
  return Object.fromEntries((Object.keys(changed) as (keyof MadeEdit)[]).map(name => [name, former[name]]));
}

/** Metadata keys that the service sets in a memory when another memory replaces it. */
const SUPERSESSION_NOTES = ['deprecated', 'superseded_by', 'supersede_relation', 'supersede_reason'];

/**
 * The metadata change that undoes a supersession. The given memory was read before the supersession. Each key of
 * SUPERSESSION_NOTES gets the value that it had then, or is removed.
 */
export function withoutSupersession({ metadata }: MemoryAnswer): MemoryAnswer['metadata'] {
  return Object.fromEntries(SUPERSESSION_NOTES.map(name => [name, metadata[name] ?? null]));
}

export interface DiffPart {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

/**
 * Maximum number of words compared in each text. The table of `commonLengths` grows with the product of both numbers of
 * words.
 */
const WORDS_MAX = 1_000;

/** The parts in reading order. Compares the first `WORDS_MAX` words one by one, and the rest of each text as a whole. */
export function diffWords(before: string, after: string): DiffPart[] {
  const [from, fromRest] = split(before);
  const [to, toRest] = split(after);
  const lengths = commonLengths(from, to);
  const parts: DiffPart[] = [];
  let i = 0;
  let j = 0;
  while (i < from.length || j < to.length) {
    if (i < from.length && from[i] === to[j]) {
      append(parts, 'same', from[i]);
      i++;
      j++;
    } else if (j >= to.length || (i < from.length && at(lengths, i + 1, j) >= at(lengths, i, j + 1))) {
      append(parts, 'removed', from[i++]);
    } else append(parts, 'added', to[j++]);
  }
  if (fromRest === toRest) append(parts, 'same', fromRest);
  else {
    append(parts, 'removed', fromRest);
    append(parts, 'added', toRest);
  }
  return parts;
}

function split(text: string): [words: string[], rest: string] {
  // Whitespace is a separate word, so that the last word of a text equals the same word in the middle of another text.
  const words = text.split(/(\s+)/).filter(word => word !== '');
  return [words.slice(0, WORDS_MAX), words.slice(WORDS_MAX).join('')];
}

function append(parts: DiffPart[], kind: DiffPart['kind'], text = ''): void {
  const last = parts.at(-1);
  if (text === '') return;
  if (last?.kind === kind) last.text += text;
  else parts.push({ kind, text });
}

/** For each pair of positions, the length of the longest common subsequence of the words from these positions on. */
function commonLengths(from: readonly string[], to: readonly string[]): Uint16Array[] {
  const rows = Array.from({ length: from.length + 1 }, () => new Uint16Array(to.length + 1));
  for (let i = from.length - 1; i >= 0; i--) {
    const row = rows[i] as Uint16Array;
    for (let j = to.length - 1; j >= 0; j--) {
      row[j] = from[i] === to[j] ? at(rows, i + 1, j + 1) + 1 : Math.max(at(rows, i + 1, j), at(rows, i, j + 1));
    }
  }
  return rows;
}

function at(rows: readonly Uint16Array[], i: number, j: number): number {
  return rows[i]?.[j] ?? 0;
}
