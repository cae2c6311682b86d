/** One memory in the view: its content, relations and origin, and buttons to correct or delete it. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { html } from '../html.js';
import { Origin } from '../memory/origin.js';
import { RelationList } from '../memory/relations.js';
import { Tags, Type } from '../search/result.js';
import { Time } from '../shell/times.js';
import type { Actions, Change, Opened } from './controller.js';

interface OneMemoryProps {
  opened: Opened;
  actions: Actions;
  /** Whether the person can go back to a list of results. */
  hasList: boolean;
  canChange: boolean;
}

type Form = 'edit' | 'delete' | undefined;

export function OneMemory({ opened: { facts, whole }, actions, hasList, canChange }: OneMemoryProps): VNode {
  const [form, setForm] = useState<Form>();
  const { id, content, type, timestamp, importance, tags } = facts;
  const save = async (change: Change) => {
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
      <${Origin} memory=${whole} />`
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
  onSave: (change: Change) => Promise<void>;
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
