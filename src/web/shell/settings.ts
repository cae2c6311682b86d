/** Reads the settings that the service writes into the head of the page. */

export interface Settings {
  needsToken: boolean;
  hasAdminToken: boolean;
  isReadOnly: boolean;
  /** URL of the service. Behind a proxy it may contain a path. */
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
