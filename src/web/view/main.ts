/** Starts the view that hosts of MCP Apps show in a conversation. */
import { render } from 'preact';
import { html } from '../html.js';
import { readRoute } from '../shell/route.js';
import { type Actions, createController, type ViewState } from './controller.js';
import { createHost, type Host, type HostContext } from './host.js';
import { AppView } from './view.js';

/** The build replaces this name with the version of the package. */
declare const ENGRAPH_VERSION: string;

/** The standard variables that `view.css` uses. Other variables of the host are ignored. */
const VARIABLES = [
  '--color-background-primary',
  '--color-background-secondary',
  '--color-text-primary',
  '--color-text-secondary',
  '--color-text-danger',
  '--color-text-success',
  '--color-text-warning',
  '--color-border-primary',
  '--font-sans',
];

const root = document.documentElement;
const place = document.getElementById('view') as HTMLElement;
const settings = document.querySelector<HTMLMetaElement>('meta[name="engraph-settings"]')?.content ?? '';
const isReadOnly = settings.split(' ').includes('read-only');

const draw = (state: ViewState, actions: Actions) =>
  render(html`<${AppView} state=${state} actions=${actions} isReadOnly=${isReadOnly} />`, place);

const host = createHost(window, {
  onToolInput: ({ query }) => {
    if (typeof query === 'string') controller.set({ query });
  },
  onToolResult: result => controller.show(result),
  onToolCancelled: () => controller.set({ message: 'The call was cancelled.' }),
  onContext: changed => applyContext(root, changed),
});
const controller = createController(host, draw);

// Links are handled here and never followed, because the address of the view belongs to the host.
place.addEventListener('click', event => {
  const link = event.target instanceof Element ? event.target.closest('a[href^="#/"]') : null;
  if (link === null) return;
  event.preventDefault();
  const { view, id, parameters } = readRoute(link.getAttribute('href') ?? '');
  if (view === 'memory') void controller.open(id);
  else void controller.search('', parameters.get('tags') ?? undefined);
});

controller.set({});
followSize(host, root, place);
host.connect(ENGRAPH_VERSION).then(
  ({ hostContext = {}, hostCapabilities = {} }) => {
    applyContext(root, hostContext);
    controller.set({ canAsk: hostCapabilities.serverTools !== undefined });
  },
  error => controller.set({ message: error instanceof Error ? error.message : String(error) }),
);

function applyContext(root: HTMLElement, { theme, styles }: HostContext): void {
  // `view.css` has a light and a dark colour for everything, and the property `color-scheme` selects one of them.
  if (theme === 'light' || theme === 'dark') root.style.colorScheme = theme;
  for (const name of VARIABLES) {
    const value = styles?.variables?.[name];
    if (typeof value === 'string') root.style.setProperty(name, value);
  }
}

/** Reports the size of the content to the host now and after every change. */
function followSize(host: Pick<Host, 'reportSize'>, root: HTMLElement, content: HTMLElement): void {
  let last = '';
  const observer = new ResizeObserver(() => {
    const size = { width: root.clientWidth, height: Math.ceil(content.getBoundingClientRect().height) };
    const key = `${size.width} ${size.height}`;
    if (key !== last) host.reportSize(size);
    last = key;
  });
  observer.observe(content);
}
