/** One memory: what it says, where it came from, what it is related to, and forms to change it. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { HookLogAnswer, MemoryAnswer } from '../../client/client.js';
import { html } from '../html.js';
import { Tags, Type } from '../search/result.js';
import { hrefOfMemory, navigate, useKeys } from '../shell/route.js';
import { type PageShell, useRequest, useShell } from '../shell/shell.js';
import { Time } from '../shell/times.js';
import { EditForm, ReplaceForm, type Replacement } from './edit-form.js';
import {
  changedFields,
  History,
  type MadeEdit,
  toAssociations,
  toStoreRequest,
  undoOf,
  withoutSupersession,
} from './history.js';
import { OriginFacts, Relations } from './relations.js';

export function MemoryView({ id }: { id: string }): VNode {
  const { service, revision } = useShell();
  const { value: memory, error } = useRequest(() => service.get(id), [id, service, revision]);
  if (error) return html`<h1>Memory</h1><p class="error" role="alert">${error}</p><p><a href="#/search">Search</a></p>`;
  return memory === undefined ? html`<h1 class="meta">Reading…</h1>` : html`<${Memory} memory=${memory} />`;
}

type Form = 'edit' | 'replace' | undefined;

function Memory({ memory }: { memory: MemoryAnswer }): VNode {
  const shell = useShell();
  const [form, setForm] = useState<Form>();
  const { isReadOnly } = shell.settings;
  const close = () => setForm(undefined);
  useKeys(isReadOnly ? {} : { e: () => setForm('edit') });
  const save = async (edit: MadeEdit) => {
    if (await saveEdit(shell, memory, edit)) close();
  };
  const replace = async (replacement: Replacement) => {
    if (await replaceMemory(shell, memory, replacement)) close();
  };
  return html`<article>
    <h1 class="hidden">Memory</h1>
    ${
      form === 'edit'
        ? html`<${EditForm} memory=${memory} onSave=${save} onCancel=${close} />`
        : html`<p class="whole">${memory.content}</p>`
    }
    ${form === 'replace' && html`<${ReplaceForm} memory=${memory} onReplace=${replace} onCancel=${close} />`}
    <p class="meta row"><${Type} type=${memory.type} /> <${Time} at=${memory.timestamp} />
      <span>importance ${memory.importance}</span> <${Tags} tags=${memory.tags} /></p>
    <${Standing} memory=${memory} />
    ${
      !isReadOnly &&
      form === undefined &&
      html`<p class="actions">
      <button type="button" onClick=${() => setForm('edit')}>Edit</button>
      <button type="button" onClick=${() => setForm('replace')}>Replace</button>
      <button type="button" class="danger" onClick=${() => void remove(shell, memory)}>Delete</button></p>`
    }
    <${Relations} relations=${memory.relations} />
    <${History} memory=${memory} />
    <${Usage} id=${memory.id} timestamp=${memory.timestamp} lastAccessed=${memory.last_accessed} />
    <${OriginFacts} memory=${memory} />
  </article>`;
}

const SUPERSEDING: ReadonlySet<string> = new Set(['INVALIDATED_BY', 'EVOLVED_INTO']);

/** Badges that show whether the memory is archived, was replaced, or replaces another memory. */
function Standing({ memory }: { memory: MemoryAnswer }): VNode {
  const supersessions = memory.relations.filter(({ type }) => SUPERSEDING.has(type));
  return html`<p class="badges">${memory.archived && html`<span class="badge warn">archived</span>`}
  ${supersessions.map(({ direction, memory: other }) =>
    direction === 'outgoing'
      ? html`<a class="badge warn" href=${hrefOfMemory(other.id)}>replaced by a newer memory</a>`
      : html`<a class="badge" href=${hrefOfMemory(other.id)}>replaces an older memory</a>`,
  )}</p>`;
}

async function saveEdit(shell: PageShell, memory: MemoryAnswer, edit: MadeEdit): Promise<boolean> {
  const changed = changedFields(memory, edit);
  if (Object.keys(changed).length === 0) return true;
  return shell.attempt(async () => {
    await shell.service.update(memory.id, changed);
    shell.notify({
      text: 'Saved.',
      undo: async () => {
        await shell.service.update(memory.id, undoOf(memory, changed));
      },
    });
  });
}

async function replaceMemory(shell: PageShell, memory: MemoryAnswer, given: Replacement): Promise<boolean> {
  return shell.attempt(async () => {
    const { memory_id } = await shell.service.store({
      content: given.content,
      supersedes_memory_id: memory.id,
      supersede_relation: given.relation,
      ...(given.reason !== '' && { supersede_reason: given.reason }),
    });
    navigate(hrefOfMemory(memory_id));
    shell.notify({
      text: 'Replaced. The timeline still shows the old memory.',
      undo: async () => {
        await shell.service.remove(memory_id);
        await shell.service.update(memory.id, { metadata: withoutSupersession(memory) });
        navigate(hrefOfMemory(memory.id));
      },
    });
  });
}

async function remove(shell: PageShell, memory: MemoryAnswer): Promise<void> {
  await shell.attempt(async () => {
    await shell.service.remove(memory.id);
    navigate('#/search');
    shell.notify({ text: 'Deleted.', undo: () => restore(shell, memory) });
  });
}

async function restore({ service }: PageShell, memory: MemoryAnswer): Promise<void> {
  await service.store(toStoreRequest(memory));
  if (memory.archived) await service.update(memory.id, { archived: true });
  const associations = toAssociations(memory);
  if (associations.length > 0) await service.associateMany(associations);
  navigate(hrefOfMemory(memory.id));
}

type Injection = HookLogAnswer['sessions'][number]['injections'][number];
type Reason = Injection['memories'][number]['reason'];

/** Number of conversations to read from the log of hooks. It is the maximum that the service returns. */
const SESSIONS = 200;

const REASONS: Record<Reason, string> = {
  answers_prompt: 'it answers the prompt',
  of_project: 'it belongs to the project',
  for_every_session: 'it applies to every conversation',
};

export interface Use {
  at: string;
  prompt?: string | undefined;
  reason: Reason;
  wasUsed?: boolean | undefined;
}

/** The times when a hook gave the memory to an assistant, latest first. */
export function usesOf(id: string, { sessions }: HookLogAnswer): Use[] {
  return sessions
    .flatMap(({ injections }) => injections)
    .flatMap(({ at, prompt, memories }) =>
      memories
        .filter(memory => memory.id === id)
        .map(({ reason, used }): Use => ({ at, prompt, reason, wasUsed: used })),
    )
    .sort((a, b) => b.at.localeCompare(a.at));
}

interface UsageProps {
  id: string;
  timestamp: string;
  lastAccessed: string;
}

function Usage({ id, timestamp, lastAccessed }: UsageProps): VNode {
  const { service } = useShell();
  const { value, error } = useRequest(() => service.hookLog({ limit: SESSIONS }), [id, service]);
  const uses = value === undefined ? [] : usesOf(id, value);
  return html`<section><h2>Use</h2>
    <p>${
      lastAccessed === timestamp
        ? 'No recall has found it yet.'
        : html`A recall last found it on ${html`<${Time} at=${lastAccessed} exact />`}.`
    }</p>
    ${error && html`<p class="error">${error}</p>`}
    ${
      value && uses.length === 0
        ? html`<p class="meta">No hook has given it to an assistant in the last ${SESSIONS} conversations.</p>`
        : html`<ul class="uses">${uses.map(
            use =>
              html`<li><${Time} at=${use.at} exact />: ${REASONS[use.reason]}${use.prompt && html` (“${use.prompt}”)`}${
                use.wasUsed !== undefined && (use.wasUsed ? ', and a reply took it up' : ', and no reply took it up')
              }</li>`,
          )}</ul>`
    }</section>`;
}
