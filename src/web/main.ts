/** Starts the page. */
import { render } from 'preact';
import { App } from './app.js';
import { html } from './html.js';
import { redeemCode } from './shell/one-time-code.js';
import { readSettings } from './shell/settings.js';

const place = document.getElementById('page');
const settings = readSettings();
void redeemCode(settings).then(() => {
  if (place === null) return;
  place.replaceChildren();
  render(html`<${App} settings=${settings} />`, place);
});
