/** Starts the page. */
import { render } from 'preact';
import { App } from './app.js';
import { html } from './html.js';
import { readSettings, type Settings, storeToken } from './shell/service.js';

const CODE_FRAGMENT = /^#code=([\w-]+)$/;

const place = document.getElementById('page');
const settings = readSettings();
void redeemCode(settings).then(() => {
  if (place === null) return;
  place.replaceChildren();
  render(html`<${App} settings=${settings} />`, place);
});

/** Removes the code from the address at once. If the service refuses the code, the page asks for the token. */
async function redeemCode({ url }: Settings): Promise<void> {
  const [, code] = CODE_FRAGMENT.exec(location.hash) ?? [];
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
