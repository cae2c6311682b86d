/** What the service says of itself in the head of the page. */

export interface Settings {
  needsToken: boolean;
  hasAdminToken: boolean;
  isReadOnly: boolean;
  /** Address of the service, which may stand below a path of a proxy. */
  url: string;
}

export function readSettings(): Settings {
  const given = document.querySelector<HTMLMetaElement>('meta[name="engraph-settings"]')?.content ?? '';
  const words = new Set(given.split(' '));
  return {
    needsToken: words.has('token'),
    hasAdminToken: words.has('admin'),
    isReadOnly: words.has('read-only'),
    url: new URL('.', location.href).href,
  };
}
