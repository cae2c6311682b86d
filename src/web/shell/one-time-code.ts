/** Exchanges the code of a link that `engraph view` has made for the token. */
import type { Settings } from './settings.js';
import { storeToken } from './tokens.js';

const FRAGMENT = /^#code=([\w-]+)$/;

/** Takes the code out of the address at once. A code that is refused leaves the page to ask for the token. */
export async function redeemCode({ url }: Settings): Promise<void> {
  const [, code] = FRAGMENT.exec(location.hash) ?? [];
  if (code === undefined) return;
  history.replaceState(null, '', '#/search');
  try {
    const response = await fetch(`${url}web/session`, { method: 'POST', headers: { 'x-view-code': code } });
    if (!response.ok) return;
    const { token } = (await response.json()) as { token: string | null };
    if (token !== null) storeToken('token', token);
  } catch {
    // The page says what is wrong with the service by itself.
  }
}
