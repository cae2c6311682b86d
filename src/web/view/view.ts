/** The view in a conversation: the results of a recall, a field to search further, and one memory. */
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { html } from '../html.js';
import { OriginFacts, RelationList } from '../memory/relations.js';
import { ResultItem, Tags, Type } from '../search/result.js';
import { Time } from '../shell/times.js';
import type { Actions, Opened, ViewChange, ViewState } from './controller.js';
import type { FoundMemories } from './host.js';

interface ViewProps {
  state: ViewState;
  actions: Actions;
  isReadOnly: boolean;
}

export function AppView({ state, actions, isReadOnly }: ViewProps): VNode {
  const { query, isBusy, canAsk, message, found, opened } = state;
  return html`<main>
    <h1 class="hidden">Memories</h1>
    ${canAsk && html`<${Question} query=${query} onSearch=${actions.search} />`}
    <p role="status" class=${message ? 'error' : 'meta'}>${message ?? (isBusy && 'Asking…')}</p>
    ${
      opened
        ? html`<${OneMemory} key=${opened.facts.id} opened=${opened} actions=${actions} hasList=${found !== undefined}
            canChange=${canAsk && !isReadOnly} />`
        : html`<${List} found=${found} isBusy=${isBusy} />`
    }
  </main>`;
}

/** Uses no form element, because hosts may render the view in a frame that cannot submit forms. */
function Question({ query, onSearch }: { query: string; onSearch: Actions['search'] }): VNode {
  const [text, setText] = useState(query);
  useEffect(() => setText(query), [query]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') void onSearch(text);
  };
  return html`<search class="row"><label class="hidden" for="query">Question</label>
    <input id="query" type="search" placeholder="What does it remember about…" value=${text} onKeyDown=${onKeyDown}
      onInput=${(event: Event) => setText((event.target as HTMLInputElement).value)} />
    <button type="button" class="primary" onClick=${() => void onSearch(text)}>Search</button></search>`;
}

function List({ found, isBusy }: { found: FoundMemories | undefined; isBusy: boolean }): VNode | null {
  if (found === undefined) return null;
  const { results, notes } = found;
  const full = Math.max(0.01, ...results.map(result => result.final_score));
  return html`${notes.length > 0 && html`<p class="meta">${notes.join('; ')}</p>`}
    ${
      results.length === 0
        ? html`<div class="empty"><p>Nothing was found.</p></div>`
        : html`<ul class="results" aria-busy=${isBusy}>${results.map(
            result => html`<${ResultItem} key=${result.memory.id} result=${result} full=${full} />`,
          )}</ul>`
    }`;
}

interface OneMemoryProps {
  opened: Opened;
  actions: Actions;
  /** Whether the person can go back to a list of results. */
  hasList: boolean;
  canChange: boolean;
}

type Form = 'edit' | 'delete' | undefined;

function OneMemory({ opened: { facts, whole }, actions, hasList, canChange }: OneMemoryProps): VNode {
  const [form, setForm] = useState<Form>();
  const { id, content, type, timestamp, importance, tags } = facts;
  const save = async (change: ViewChange) => {
    if (await actions.save(id, change)) setForm(undefined);
  };
  return html`<article>
    ${hasList && html`<p><button type="button" class="quiet" onClick=${actions.back}>Back to the results</button></p>`}
    ${form === 'edit' ? html`<${Editor} content=${content} tags=${tags} onSave=${save} onCancel=${() => setForm(undefined)} />` : html`<p class="whole">${content}</p>`}
    <p class="meta row"><${Type} type=${type} /> <${Time} at=${timestamp} />
      <span>importance ${importance}</span> <${Tags} tags=${tags} /></p>
    ${whole && canChange && form === undefined && html`<${Buttons} content=${content} onForm=${setForm} />`}
    ${
      form === 'delete' &&
      html`<p class="actions">Delete it for good?
        <button type="button" class="danger" onClick=${() => void actions.remove(id)}>Delete</button>
        <button type="button" onClick=${() => setForm(undefined)}>Keep it</button></p>`
    }
    ${
      whole &&
      html`${whole.relations.length > 0 && html`<section><h2>Relations (${whole.relations.length})</h2><${RelationList} relations=${whole.relations} /></section>`}
      <${OriginFacts} memory=${whole} />`
    }
  </article>`;
}

/**
 * Tools replace invisible characters with escapes such as `\u{200B}`. A content with escapes cannot be edited here,
 * because saving an edit would store the escapes in the memory.
 */
const ESCAPE = /\\u\{[0-9A-F]+\}/;

function Buttons({ content, onForm }: { content: string; onForm: (form: Form) => void }): VNode {
  return html`<p class="actions">${
    ESCAPE.test(content)
      ? html`<span class="meta">It has characters that cannot be seen: edit it on the web page.</span>`
      : html`<button type="button" onClick=${() => onForm('edit')}>Edit</button>`
  }
  <button type="button" class="danger" onClick=${() => onForm('delete')}>Delete</button></p>`;
}

interface EditorProps {
  content: string;
  tags: readonly string[];
  onSave: (change: ViewChange) => Promise<void>;
  onCancel: () => void;
}

function Editor({ content, tags, onSave, onCancel }: EditorProps): VNode {
  const [text, setText] = useState(content);
  const [lines, setLines] = useState(tags.join('\n'));
  const read = (set: (value: string) => void) => (event: Event) => set((event.target as HTMLTextAreaElement).value);
  const save = () => {
    const newTags = lines
      .split('\n')
      .map(line => line.trim())
      .filter(Boolean);
    const hasNewTags = JSON.stringify(newTags) !== JSON.stringify(tags);
    const change = { ...(text !== content && { content: text }), ...(hasNewTags && { tags: newTags }) };
    if (Object.keys(change).length === 0) onCancel();
    else void onSave(change);
  };
  return html`<div class="edit" role="group" aria-label="Edit this memory">
    <label>Content <textarea rows="5" value=${text} onInput=${read(setText)}></textarea></label>
    <label>Tags, one a line <textarea rows="3" value=${lines} onInput=${read(setLines)}></textarea></label>
    <p class="actions"><button type="button" class="primary" onClick=${save}>Save</button>
    <button type="button" onClick=${onCancel}>Cancel</button></p></div>`;
}
