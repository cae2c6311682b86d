/** Makes the view look like its host, and tells the host how large the view is. */
import type { Host, HostContext } from './host.js';

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

export function applyContext(root: HTMLElement, { theme, styles }: HostContext): void {
  // `view.css` has a light and a dark colour for everything, and the property `color-scheme` selects one of them.
  if (theme === 'light' || theme === 'dark') root.style.colorScheme = theme;
  for (const name of VARIABLES) {
    const value = styles?.variables?.[name];
    if (typeof value === 'string') root.style.setProperty(name, value);
  }
}

/** Reports the size of the content to the host now and after every change. */
export function followSize(host: Pick<Host, 'reportSize'>, root: HTMLElement, content: HTMLElement): void {
  let last = '';
  const observer = new ResizeObserver(() => {
    const size = { width: root.clientWidth, height: Math.ceil(content.getBoundingClientRect().height) };
    const key = `${size.width} ${size.height}`;
    if (key !== last) host.reportSize(size);
    last = key;
  });
  observer.observe(content);
}
