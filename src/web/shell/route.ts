/**
 * Reads the view from the fragment of the address: `#/search?query=…`, `#/memory/<id>`; and the keyboard shortcuts of
 * the page.
 */
import { useLayoutEffect, useState } from 'preact/hooks';

export const VIEWS = ['search', 'timeline', 'review', 'state'] as const;
export type PageView = (typeof VIEWS)[number] | 'memory';

export interface PageRoute {
  view: PageView;
  /** Id of the memory that the view `memory` shows. Empty in other views. */
  id: string;
  parameters: URLSearchParams;
}

export function readRoute(fragment: string): PageRoute {
  const [path = '', query = ''] = fragment.replace(/^#\/?/, '').split('?', 2);
  const [name = '', id = ''] = path.split('/', 2);
  const view = [...VIEWS, 'memory' as const].find(each => each === name) ?? 'search';
  return { view, id: decode(id), parameters: new URLSearchParams(query) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function hrefOfMemory(id: string): string {
  return `#/memory/${encodeURIComponent(id)}`;
}

export function hrefOf(view: PageView, parameters: URLSearchParams): string {
  const query = parameters.toString();
  return `#/${view}${query && `?${query}`}`;
}

/** Shows another view at once. The browser itself reports a new fragment only later. */
export function navigate(href: string): void {
  location.hash = href;
  dispatchEvent(new Event('hashchange'));
}

export function useRoute(): PageRoute {
  const [route, setRoute] = useState(() => readRoute(location.hash));
  // Listen before the frame is drawn. Otherwise a change of the address right after the page appears would be missed.
  useLayoutEffect(() => {
    const follow = () => setRoute(readRoute(location.hash));
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return route;
}

/** Writes the state of a view into the address, so that a reload and a bookmark keep it. */
export function keepInAddress(view: PageView, parameters: URLSearchParams): void {
  history.replaceState(null, '', hrefOf(view, parameters));
}

const SWITCH = 'engraph.keys';

/** People can switch off single-key shortcuts, because speech input and shaking hands trigger them by accident. */
export function areKeysOn(): boolean {
  return localStorage.getItem(SWITCH) !== 'off';
}

export function switchKeys(isOn: boolean): void {
  localStorage.setItem(SWITCH, isOn ? 'on' : 'off');
}

export type KeyActions = Readonly<Record<string, () => void>>;

/** Runs the action of a key that is pressed outside text fields and dialogs, without Ctrl, Alt or Meta. */
export function useKeys(actions: KeyActions): void {
  // Listen before the frame is drawn. Otherwise a key that is pressed right after the view appears would do nothing.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
      const action = areKeysOn() ? actions[event.key] : undefined;
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
}

/** Elements in which keys do not work as shortcuts. Sliders and checkboxes take no letters, so they are left out. */
const TEXT_FIELDS = 'input:not([type=range], [type=checkbox]), textarea, select, dialog';

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(TEXT_FIELDS) !== null;
}

/** Moves the focus among the items of the view. @param step 1 for the next, -1 for the one before */
export function moveFocus(step: 1 | -1): void {
  const items = [...document.querySelectorAll<HTMLElement>('[data-item]')];
  const active = document.activeElement;
  const current = items.findIndex(item => item === active || item.closest('li')?.contains(active));
  const next = current === -1 ? (step === 1 ? 0 : items.length - 1) : current + step;
  items[Math.min(Math.max(next, 0), items.length - 1)]?.focus();
}
