/** Forms that edit a memory, or replace it with a new memory. */
import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { MemoryAnswer } from '../../client/client.js';
import type { MemoryType } from '../../domain/memory.js';
import { html } from '../html.js';
import type { MadeEdit } from './history.js';

type FieldEvent = Event & { target: HTMLInputElement & HTMLTextAreaElement & HTMLSelectElement };

interface EditFormProps {
  memory: MemoryAnswer;
  onSave: (edit: MadeEdit) => void;
  onCancel: () => void;
}

export function EditForm({ memory, onSave, onCancel }: EditFormProps): VNode {
  const [content, setContent] = useState(memory.content);
  const [type, setType] = useState<MemoryType>(memory.type);
  const [importance, setImportance] = useState(String(memory.importance));
  const [tags, setTags] = useState(memory.tags.join('\n'));
  const [validFrom, setValidFrom] = useState(memory.t_valid ?? '');
  const [validUntil, setValidUntil] = useState(memory.t_invalid ?? '');
  const save = (event: Event) => {
    event.preventDefault();
    onSave({
      content,
      type,
      importance: Number(importance),
      tags: linesOf(tags),
      t_valid: validFrom.trim() || null,
      t_invalid: validUntil.trim() || null,
    });
  };
  return html`<form class="edit" aria-label="Edit this memory" onSubmit=${save} onKeyDown=${leaveOnEscape(onCancel)}>
    <${ContentField} label="Content" value=${content} onValue=${setContent} />
    <div class="fields">
      <label>Type <select value=${type} onChange=${(event: FieldEvent) => setType(event.target.value as MemoryType)}>
        ${MEMORY_TYPES.map(name => html`<option value=${name}>${name}</option>`)}</select></label>
      <label>Importance, 0 to 1 <input type="number" min="0" max="1" step="any" required value=${importance}
        onInput=${(event: FieldEvent) => setImportance(event.target.value)} /></label>
      <label>Valid from <input type="text" value=${validFrom} placeholder="always"
        onInput=${(event: FieldEvent) => setValidFrom(event.target.value)} /></label>
      <label>Valid until <input type="text" value=${validUntil} placeholder="no end"
        onInput=${(event: FieldEvent) => setValidUntil(event.target.value)} /></label>
      <label>Tags, one a line <textarea rows="3" value=${tags}
        onInput=${(event: FieldEvent) => setTags(event.target.value)}></textarea></label>
    </div>
    <p class="meta">A time is ISO 8601, or words such as “next Friday”.</p>
    <p class="actions"><button class="primary">Save</button> <button type="button" onClick=${onCancel}>Cancel</button></p>
  </form>`;
}

interface ReplaceFormProps {
  memory: MemoryAnswer;
  onReplace: (replacement: Replacement) => void;
  onCancel: () => void;
}

export interface Replacement {
  content: string;
  relation: 'INVALIDATED_BY' | 'EVOLVED_INTO';
  reason: string;
}

export function ReplaceForm({ memory, onReplace, onCancel }: ReplaceFormProps): VNode {
  const [content, setContent] = useState(memory.content);
  const [relation, setRelation] = useState<Replacement['relation']>('INVALIDATED_BY');
  const [reason, setReason] = useState('');
  const send = (event: Event) => {
    event.preventDefault();
    onReplace({ content, relation, reason: reason.trim() });
  };
  const choose = (event: FieldEvent) => setRelation(event.target.value as Replacement['relation']);
  return html`<form class="edit" aria-label="Replace this memory" onSubmit=${send} onKeyDown=${leaveOnEscape(onCancel)}>
    <p>The new memory replaces this memory, which the timeline still shows.</p>
    <${ContentField} label="New content" value=${content} onValue=${setContent} />
    <div class="fields">
      <label>The old memory <select value=${relation} onChange=${choose}>
        <option value="INVALIDATED_BY">was wrong or is no longer valid</option>
        <option value="EVOLVED_INTO">was right and has developed</option></select></label>
      <label>Reason <input type="text" value=${reason} onInput=${(event: FieldEvent) => setReason(event.target.value)} /></label>
    </div>
    <p class="actions"><button class="primary">Replace</button> <button type="button" onClick=${onCancel}>Cancel</button></p>
  </form>`;
}

function ContentField({
  label,
  value,
  onValue,
}: {
  label: string;
  value: string;
  onValue: (value: string) => void;
}): VNode {
  const field = useRef<HTMLTextAreaElement>(null);
  // Focus before the frame is drawn. Otherwise the field would miss characters that are typed right after it appears.
  useLayoutEffect(() => field.current?.focus(), []);
  return html`<label>${label} <textarea ref=${field} rows="5" required value=${value}
    onInput=${(event: FieldEvent) => onValue(event.target.value)}></textarea></label>`;
}

function leaveOnEscape(leave: () => void) {
  return (event: KeyboardEvent) => {
    if (event.key === 'Escape') leave();
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
      (event.currentTarget as HTMLFormElement).requestSubmit();
  };
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '');
}

/** This is an object and not a list, so that the compiler reports a new type that is missing here. */
const ALL: Record<MemoryType, true> = {
  Decision: true,
  Pattern: true,
  Preference: true,
  Style: true,
  Habit: true,
  Insight: true,
  Context: true,
};

const MEMORY_TYPES = Object.keys(ALL) as MemoryType[];
