/** Starts the page. */
import { render } from 'preact';
import { html } from './html.js';

const place = document.getElementById('page');
if (place) render(html`<main>Engraph</main>`, place);
