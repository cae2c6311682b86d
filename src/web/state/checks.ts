/** The checks of `engraph doctor` that need nothing but the service. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { type Check, probeChecks, storesCheck } from '../../client/self-check.js';
import { html } from '../html.js';
import { messageOf, useShell } from '../shell/shell.js';

interface Outcome {
  name: string;
  works: boolean;
  text: string;
}

/** The checks run when the person presses the button, because they store a probe and delete it again. */
export function Checks(): VNode {
  const { service, settings } = useShell();
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([]);
  const [isRunning, setRunning] = useState(false);
  const run = async () => {
    setRunning(true);
    setOutcomes([]);
    const checks = [storesCheck(service), ...(settings.isReadOnly ? [] : probeChecks(service))];
    for (const check of checks) {
      const outcome = await outcomeOf(check);
      setOutcomes(before => [...before, outcome]);
    }
    setRunning(false);
  };
  return html`<section><h2>Checks</h2>
    <p class="meta">${
      settings.isReadOnly
        ? 'Checks the stores. The other checks of engraph doctor store a probe, which a read-only memory refuses.'
        : 'Stores a probe, recalls it by keyword and by vector, and deletes it, as engraph doctor does.'
    }</p>
    <div role="status"><ul class="checks">${outcomes.map(
      ({ name, works, text }) =>
        html`<li key=${name}><span class=${works ? 'badge good' : 'badge warn'}>${works ? 'works' : 'fails'}</span> <b>${name}</b>: ${text}</li>`,
    )}</ul></div>
    <p class="actions"><button type="button" disabled=${isRunning} onClick=${() => void run()}>Run the checks</button></p></section>`;
}

async function outcomeOf({ name, run }: Check): Promise<Outcome> {
  try {
    return { name, works: true, text: await run() };
  } catch (error) {
    return { name, works: false, text: messageOf(error) };
  }
}
