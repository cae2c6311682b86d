/** Exchanges the one-time code in a link from `engraph view` for the API token. */
import type { Settings } from './settings.js';
import { storeToken } from './tokens.js';

const FRAGMENT = /^#code=([\w-]+)$/;

/** Removes the code from the address at once. If the service refuses the code, the page asks for the token. */
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
    // No message is needed here, because the views report that the service cannot be reached.
  }
}
