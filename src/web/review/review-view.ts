/** Shows the proposals of consolidation, memories with credentials, the runs of consolidation, and the bin. */
import type { VNode } from 'preact';
import { html } from '../html.js';
import { Bin } from './bin.js';
import { Credentials } from './credentials.js';
import { Proposals } from './proposals.js';
import { Runs } from './runs.js';

export function ReviewView(): VNode {
  return html`<h1>Review</h1><${Proposals} /><${Credentials} /><${Runs} /><${Bin} />`;
}
