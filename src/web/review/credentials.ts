/** Memories whose content seems to contain a credential. The service sends no secret, so the page shows none. */
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { CredentialsAnswer } from '../../client/client.js';
import { html } from '../html.js';
import { hrefOfMemory } from '../shell/route.js';
import { messageOf, useShell } from '../shell/shell.js';

type Finding = CredentialsAnswer['findings'][number];

interface Search {
  findings: readonly Finding[];
  scanned: number;
  /** Id after which the search continues; undefined before it starts, null when all memories were read. */
  next: string | null | undefined;
  error?: string | undefined;
}

/** Maximum number of memories that the service reads for one request. Such a request takes a tenth of a second. */
const READ_AT_ONCE = 2_000;
const NOTHING_READ: Search = { findings: [], scanned: 0, next: undefined };

/** The search starts only when the person presses the button, because the search reads every memory. */
export function Credentials(): VNode {
  const { service } = useShell();
  const [search, setSearch] = useState(NOTHING_READ);
  const [isRunning, setRunning] = useState(false);
  const isWanted = useRef(false);
  const stop = () => {
    isWanted.current = false;
  };
  useEffect(() => stop, []);
  const run = async (from: Search) => {
    isWanted.current = true;
    setRunning(true);
    let found = { ...from, error: undefined } as Search;
    while (isWanted.current && found.next !== null) {
      found = await readPage(found, after => service.credentials({ limit: READ_AT_ONCE, ...(after && { after }) }));
      setSearch(found);
      if (found.error !== undefined) break;
    }
    setRunning(false);
  };
  const { findings, scanned, next, error } = search;
  const isBegun = next !== undefined;
  return html`<section><h2>Credentials found${isBegun && ` (${findings.length})`}</h2>
    <p class="meta" role="status">${
      isBegun || isRunning
        ? `${scanned} memories read${next === null ? ', which are all' : isRunning ? '…' : ''}`
        : 'Everybody who recalls a memory can read a password or a key in it. This reads all memories and says which seem to contain one.'
    }</p>
    ${error && html`<p class="error" role="alert">${error}</p>`}
    <ul class="findings">${findings.map(finding => html`<${Entry} key=${finding.id} finding=${finding} />`)}</ul>
    <p class="actions">${
      isRunning
        ? html`<button type="button" onClick=${stop}>Stop</button>`
        : html`<button type="button" onClick=${() => void run(next ? search : NOTHING_READ)}>${
            next ? 'Go on' : isBegun ? 'Look again' : 'Look for credentials'
          }</button>`
    }</p></section>`;
}

async function readPage(found: Search, send: (after: string | null | undefined) => Promise<CredentialsAnswer>) {
  try {
    const { findings, scanned, next } = await send(found.next);
    return { findings: [...found.findings, ...findings], scanned: found.scanned + scanned, next };
  } catch (error) {
    return { ...found, error: messageOf(error) };
  }
}

function Entry({ finding: { id, kinds, excerpt, only_in_history } }: { finding: Finding }): VNode {
  return html`<li><a data-item href=${hrefOfMemory(id)}>${excerpt}</a>
    <span class="meta">${kinds.join(', ')}${only_in_history && ', only in a former version'}</span></li>`;
}
