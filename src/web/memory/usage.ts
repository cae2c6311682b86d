/** Shows when hooks gave a memory to an assistant, and why. */
import type { VNode } from 'preact';
import type { HookLogAnswer } from '../../client/client.js';
import { html } from '../html.js';
import { useShell } from '../shell/shell.js';
import { Time } from '../shell/times.js';
import { useRequest } from '../shell/use-request.js';

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

export function Usage({ id, timestamp, lastAccessed }: UsageProps): VNode {
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
