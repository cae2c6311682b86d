/** Dialogs of the page: the list of keys, and the request for a token. */
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { html } from '../html.js';
import { areKeysOn, switchKeys } from './keys.js';

interface DialogProps {
  title: string;
  onClose: () => void;
  children?: ComponentChildren;
}

function Dialog({ title, onClose, children }: DialogProps): VNode {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    element.current?.showModal();
  }, []);
  return html`<dialog ref=${element} onClose=${onClose} aria-label=${title}>
    <h2>${title}</h2>
    ${children}
  </dialog>`;
}

const KEYS: readonly (readonly [string, string])[] = [
  ['/', 'search'],
  ['j, k', 'next and previous entry'],
  ['Enter', 'open the entry'],
  ['e', 'edit the open memory'],
  ['r', 'load again'],
  ['1 to 4', 'search, timeline, review, state'],
  ['[ and ]', 'previous and next change in the timeline'],
  ['Escape', 'leave a field or a dialog'],
  ['?', 'this list'],
];

export function KeysDialog({ onClose }: { onClose: () => void }): VNode {
  const [isOn, setOn] = useState(areKeysOn);
  const change = () => {
    switchKeys(!isOn);
    setOn(!isOn);
  };
  return html`<${Dialog} title="Keys" onClose=${onClose}>
    <dl class="keys">${KEYS.map(([key, use]) => html`<dt><kbd>${key}</kbd></dt><dd>${use}</dd>`)}</dl>
    <label class="check"><input type="checkbox" checked=${isOn} onChange=${change} /> Single-key shortcuts</label>
    <p><button type="button" onClick=${onClose}>Close</button></p>
  </${Dialog}>`;
}

interface TokenDialogProps {
  onToken: (token: string | undefined) => void;
}

export function AdminDialog({ onToken }: TokenDialogProps): VNode {
  const [token, setToken] = useState('');
  const send = (event: Event) => {
    event.preventDefault();
    onToken(token);
  };
  return html`<${Dialog} title="Admin token" onClose=${() => onToken(undefined)}>
    <form onSubmit=${send}>
      <p>Undoing a run and restoring memories need the admin token (<code>ADMIN_API_TOKEN</code>). This tab keeps it until you
      close the tab.</p>
      <label>Admin token <input type="password" autocomplete="off" required value=${token}
        onInput=${(event: InputEvent) => setToken((event.target as HTMLInputElement).value)} /></label>
      <p class="actions"><button class="primary">Go on</button>
      <button type="button" onClick=${() => onToken(undefined)}>Cancel</button></p>
    </form>
  </${Dialog}>`;
}

/** The form that asks for the API token. It replaces the views until the person enters a token. */
export function TokenGate({ onToken, wasRefused }: { onToken: (token: string) => void; wasRefused: boolean }): VNode {
  const [token, setToken] = useState('');
  const send = (event: Event) => {
    event.preventDefault();
    onToken(token.trim());
  };
  return html`<main id="main" class="gate"><form onSubmit=${send}>
    <h1>This memory is protected</h1>
    <p>Enter the API token of the service (<code>SERVICE_API_TOKEN</code>). This tab keeps it until you close the tab.</p>
    ${wasRefused && html`<p class="error" role="alert">The service refused this token.</p>`}
    <label>API token <input type="password" autocomplete="off" required autofocus value=${token}
      onInput=${(event: InputEvent) => setToken((event.target as HTMLInputElement).value)} /></label>
    <p><button class="primary">Open</button></p>
  </form></main>`;
}
