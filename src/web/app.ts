/** The page: its header, the view that the URL names, notices and dialogs. */
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { html } from './html.js';
import { MemoryView } from './memory/memory-view.js';
import { ReviewView } from './review/review-view.js';
import { SearchView } from './search/search-view.js';
import {
  areKeysOn,
  moveFocus,
  navigate,
  type PageRoute,
  type PageView,
  switchKeys,
  useKeys,
  useRoute,
  VIEWS,
} from './shell/route.js';
import { createService, type Service, type Settings, storedToken, storeToken } from './shell/service.js';
import { failureMessage, type Notice, type PageShell, ShellContext } from './shell/shell.js';
import { StateView } from './state/state-view.js';
import { TimelineView } from './timeline/timeline-view.js';

/** HTTP statuses for a wrong admin token, and for a service without an admin token. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403]);

const TITLES: Record<(typeof VIEWS)[number], string> = {
  search: 'Search',
  timeline: 'Timeline',
  review: 'Review',
  state: 'State',
};

export function App({ settings }: { settings: Settings }): VNode {
  const route = useRoute();
  const [access, setAccess] = useState({
    isOpen: !settings.needsToken || storedToken('token') !== undefined,
    tries: 0,
  });
  const shown = useDialogs();
  const refuse = () => setAccess(({ tries }) => ({ isOpen: false, tries: tries + 1 }));
  const { shell, notice, close, adminQuestion } = useShellParts(settings, refuse, access.isOpen);
  useKeys({
    '?': () => shown.open(),
    '/': focusSearch,
    r: shell.refresh,
    j: () => moveFocus(1),
    k: () => moveFocus(-1),
    ...Object.fromEntries(VIEWS.map((view, index) => [String(index + 1), () => go(view)])),
  });
  const enter = (token: string) => {
    storeToken('token', token);
    setAccess(({ tries }) => ({ isOpen: true, tries }));
  };
  return html`<${ShellContext.Provider} value=${shell}>
    <a class="skip" href="#main" onClick=${skip}>Skip to the content</a>
    <${Bar} route=${route} settings=${settings} onKeys=${shown.open} />
    ${
      access.isOpen
        ? html`<main id="main" tabindex="-1"><${CurrentView} route=${route} /></main>`
        : html`<${TokenGate} onToken=${enter} wasRefused=${access.tries > 0} />`
    }
    <${NoticeBar} notice=${notice} onClose=${close} shell=${shell} />
    ${shown.isOpen && html`<${KeysDialog} onClose=${shown.close} />`}
    ${adminQuestion && html`<${AdminDialog} onToken=${adminQuestion} />`}
  </${ShellContext.Provider}>`;
}

function useDialogs() {
  const [isOpen, setOpen] = useState(false);
  return { isOpen, open: () => setOpen(true), close: () => setOpen(false) };
}

/** @param isOpen whether views are shown; when it changes, the client is created again with the stored token */
function useShellParts(settings: Settings, onUnauthorized: () => void, isOpen: boolean) {
  const [notice, setNotice] = useState<Notice | undefined>();
  const [revision, setRevision] = useState(0);
  const [adminQuestion, setQuestion] = useState<((token: string | undefined) => void) | undefined>();
  const unauthorized = useRef(onUnauthorized);
  unauthorized.current = onUnauthorized;
  const create = () => createService(settings, () => unauthorized.current());
  const service = useMemo(create, [isOpen, adminQuestion]);
  const ask = () =>
    new Promise<string | undefined>(resolve => {
      setQuestion(() => (token: string | undefined) => {
        setQuestion(undefined);
        resolve(token);
      });
    });
  const refresh = () => setRevision(count => count + 1);
  useEffect(() => {
    // Load again when the tab becomes visible, because assistants may have stored memories meanwhile.
    const follow = () => document.hidden || refresh();
    document.addEventListener('visibilitychange', follow);
    return () => document.removeEventListener('visibilitychange', follow);
  }, []);
  const shell: PageShell = {
    service,
    refresh,
    settings,
    revision,
    notify: setNotice,
    attempt: async (change, again) => {
      try {
        await change();
        return true;
      } catch (error) {
        if (REFUSALS.has((error as { status?: number }).status ?? 0)) storeToken('admin', undefined);
        setNotice({ text: failureMessage(error), undo: again });
        return false;
      } finally {
        refresh();
      }
    },
    asAdmin: async (): Promise<Service | undefined> => {
      if (storedToken('admin') === undefined) {
        const token = await ask();
        if (token === undefined) return undefined;
        storeToken('admin', token);
      }
      return create();
    },
  };
  return { shell, notice, close: () => setNotice(undefined), adminQuestion };
}

function Bar({ route, settings, onKeys }: { route: PageRoute; settings: Settings; onKeys: () => void }): VNode {
  return html`<header class="bar">
    <strong>Engraph</strong>
    <nav aria-label="Views">${VIEWS.map(
      view => html`<a href=${`#/${view}`} aria-current=${route.view === view ? 'page' : undefined}>${TITLES[view]}</a>`,
    )}</nav>
    ${settings.isReadOnly && html`<span class="badge">read-only</span>`}
    <button type="button" class="quiet" onClick=${onKeys} aria-label="Keys">?</button>
  </header>`;
}

function CurrentView({ route }: { route: PageRoute }): VNode {
  switch (route.view) {
    case 'timeline':
      return html`<${TimelineView} key=${route.parameters.toString()} parameters=${route.parameters} />`;
    case 'review':
      return html`<${ReviewView} />`;
    case 'state':
      return html`<${StateView} />`;
    case 'memory':
      return html`<${MemoryView} key=${route.id} id=${route.id} />`;
    default:
      return html`<${SearchView} parameters=${route.parameters} />`;
  }
}

interface NoticeBarProps {
  notice: Notice | undefined;
  onClose: () => void;
  shell: PageShell;
}

function NoticeBar({ notice, onClose, shell }: NoticeBarProps): VNode {
  const undo = notice?.undo;
  const takeBack = async () => {
    onClose();
    // A deleted memory exists only in this page. If restoring it fails, the notice therefore offers to try again.
    if (undo && (await shell.attempt(undo, undo))) shell.notify({ text: 'Taken back.' });
  };
  return html`<div role="status" class=${notice ? 'notice' : 'notice empty'}>${
    notice &&
    html`<span>${notice.text}</span>
    ${undo && html`<button type="button" onClick=${takeBack}>Undo</button>`}
    <button type="button" class="quiet" onClick=${onClose} aria-label="Close this message">✕</button>`
  }</div>`;
}

function go(view: PageView): void {
  navigate(`#/${view}`);
}

/** Moves the focus to the content without following the link, which would change the fragment that names the view. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

function focusSearch(): void {
  const focus = () => document.querySelector<HTMLInputElement>('#query')?.focus();
  if (document.querySelector('#query')) {
    focus();
    return;
  }
  go('search');
  // The view is drawn within two frames.
  requestAnimationFrame(() => requestAnimationFrame(focus));
}

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

function KeysDialog({ onClose }: { onClose: () => void }): VNode {
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

function AdminDialog({ onToken }: TokenDialogProps): VNode {
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
function TokenGate({ onToken, wasRefused }: { onToken: (token: string) => void; wasRefused: boolean }): VNode {
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
