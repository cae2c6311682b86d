/** Reads the view from the fragment of the address: `#/search?query=…`, `#/memory/<id>`. */
import { useLayoutEffect, useState } from 'preact/hooks';

export const VIEWS = ['search', 'timeline', 'review', 'state'] as const;
export type View = (typeof VIEWS)[number] | 'memory';

export interface Route {
  view: View;
  /** Id of the memory that the view `memory` shows. Empty in other views. */
  id: string;
  parameters: URLSearchParams;
}

export function readRoute(fragment: string): Route {
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

export function hrefOf(view: View, parameters: URLSearchParams): string {
  const query = parameters.toString();
  return `#/${view}${query && `?${query}`}`;
}

/** Shows another view at once. The browser itself reports a new fragment only later. */
export function navigate(href: string): void {
  location.hash = href;
  dispatchEvent(new Event('hashchange'));
}

export function useRoute(): Route {
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
export function keepInAddress(view: View, parameters: URLSearchParams): void {
  history.replaceState(null, '', hrefOf(view, parameters));
}
