/** The view in a conversation: the results of a recall, a field to search further, and one memory. */
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { html } from '../html.js';
import { Result } from '../search/result.js';
import type { Actions, ViewState } from './controller.js';
import { OneMemory } from './one-memory.js';
import type { Found } from './structured.js';

interface ViewProps {
  state: ViewState;
  actions: Actions;
  isReadOnly: boolean;
}

export function View({ state, actions, isReadOnly }: ViewProps): VNode {
  const { query, isBusy, canAsk, message, found, opened } = state;
  return html`<main>
    <h1 class="hidden">Memories</h1>
    ${canAsk && html`<${Question} query=${query} onSearch=${actions.search} />`}
    <p role="status" class=${message ? 'error' : 'meta'}>${message ?? (isBusy && 'Asking…')}</p>
    ${
      opened
        ? html`<${OneMemory} key=${opened.facts.id} opened=${opened} actions=${actions} hasList=${found !== undefined}
            canChange=${canAsk && !isReadOnly} />`
        : html`<${List} found=${found} isBusy=${isBusy} />`
    }
  </main>`;
}

/** Uses no form element, because hosts may render the view in a frame that cannot submit forms. */
function Question({ query, onSearch }: { query: string; onSearch: Actions['search'] }): VNode {
  const [text, setText] = useState(query);
  useEffect(() => setText(query), [query]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') void onSearch(text);
  };
  return html`<search class="row"><label class="hidden" for="query">Question</label>
    <input id="query" type="search" placeholder="What does it remember about…" value=${text} onKeyDown=${onKeyDown}
      onInput=${(event: Event) => setText((event.target as HTMLInputElement).value)} />
    <button type="button" class="primary" onClick=${() => void onSearch(text)}>Search</button></search>`;
}

function List({ found, isBusy }: { found: Found | undefined; isBusy: boolean }): VNode | null {
  if (found === undefined) return null;
  const { results, notes } = found;
  const full = Math.max(0.01, ...results.map(result => result.final_score));
  return html`${notes.length > 0 && html`<p class="meta">${notes.join('; ')}</p>`}
    ${
      results.length === 0
        ? html`<div class="empty"><p>Nothing was found.</p></div>`
        : html`<ul class="results" aria-busy=${isBusy}>${results.map(
            result => html`<${Result} key=${result.memory.id} result=${result} full=${full} />`,
          )}</ul>`
    }`;
}
