/** Memories that consolidation has deleted. A person can restore them. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { BinAnswer } from '../../client/client.js';
import { html } from '../html.js';
import { hrefOfMemory, navigate } from '../shell/route.js';
import { useShell } from '../shell/shell.js';
import { Time } from '../shell/times.js';

/** A button loads the bin, because reading the bin needs the admin token. */
export function Bin(): VNode | null {
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
