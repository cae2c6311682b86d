/** Starts the page. */
import { render } from 'preact';
import { App } from './app.js';
import { html } from './html.js';
import { readSettings } from './shell/settings.js';

const place = document.getElementById('page');
if (place) {
  place.replaceChildren();
  render(html`<${App} settings=${readSettings()} />`, place);
}
