/** The view for searching. It shows results while the person types. */
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { RecallAnswer } from '../../api/recall.js';
import type { RecallParameters } from '../../api/recall-request.js';
import type { WhyNotAnswer } from '../../api/why-not.js';
import { html } from '../html.js';
import { hrefOfMemory, keepInAddress } from '../shell/route.js';
import { messageOf, useShell } from '../shell/shell.js';
import { useRequest, useSettled } from '../shell/use-request.js';
import { countFilters, FILTERS, type Filter, toRecall } from './filters.js';
import { Result, ScoreBar } from './result.js';

/** Waiting time before a search: longer than most pauses between letters, shorter than most between words. */
const TYPING_PAUSE_MS = 120;

export function SearchView({ parameters }: { parameters: URLSearchParams }): VNode {
  const { service, revision } = useShell();
  const [fields, setFields] = useState(() => parameters.toString());
  useEffect(() => setFields(parameters.toString()), [parameters]);
  const settled = useSettled(fields, TYPING_PAUSE_MS);
  const asked = new URLSearchParams(settled);
  useEffect(() => {
    // Never write an unchanged address, because the write could undo a navigation that has begun.
    if (settled !== parameters.toString()) keepInAddress('search', asked);
  }, [settled]);
  const {
    value: answer,
    error,
    isLoading,
  } = useRequest(() => service.recall(toRecall(asked)), [settled, service, revision]);
  const present = new URLSearchParams(fields);
  const change = (name: string, value: string) =>
    setFields(before => {
      const next = new URLSearchParams(before);
      if (value === '') next.delete(name);
      else next.set(name, value);
      return next.toString();
    });
  return html`<h1 class="hidden">Search</h1>
    <search><label class="hidden" for="query">Question</label>
    <input id="query" type="search" placeholder="What does it remember about…" value=${present.get('query') ?? ''}
      onInput=${(event: Event) => change('query', (event.target as HTMLInputElement).value)} />
    <${FilterFields} fields=${present} onChange=${change} /></search>
    ${error && html`<p class="error" role="alert">${error}</p>`}
    ${answer && html`<${Answer} answer=${answer} fields=${asked} isLoading=${isLoading} />`}
    <${WhyNot} parameters=${toRecall(asked)} />`;
}

interface AnswerProps {
  answer: RecallAnswer;
  fields: URLSearchParams;
  isLoading: boolean;
}

function Answer({ answer, fields, isLoading }: AnswerProps): VNode {
  const { results, count, query_time_ms, confidence, query } = answer;
  const full = Math.max(0.01, ...results.map(result => result.final_score));
  const certainty = query === '' ? '' : `, confidence ${confidence}`;
  return html`<p class="meta" role="status">${count} ${count === 1 ? 'memory' : 'memories'}${certainty}, ${Math.round(query_time_ms)} ms</p>
    <${Hidden} answer=${answer} />
    ${
      results.length === 0
        ? html`<${Nothing} isFiltered=${query !== '' || countFilters(fields) > 0} />`
        : html`<ul class="results" aria-busy=${isLoading}>${results.map(
            result => html`<${Result} key=${result.id} result=${result} full=${full} />`,
          )}</ul>`
    }`;
}

/** Tells how many memories are hidden by filters or left out, and whether search by meaning fails. */
function Hidden({ answer }: { answer: RecallAnswer }): VNode | null {
  const { hidden, state_filter: state, vector_search: vectors, dedup_removed: duplicates } = answer;
  const notes = [
    hidden?.tags && `Memories hidden by the tags: ${hidden.tags}.`,
    hidden?.exclude_tags && `Memories hidden by the excluded tags: ${hidden.exclude_tags}.`,
    hidden?.time && `Memories hidden by the time filters: ${hidden.time}.`,
    hidden?.together && `Memories hidden only by all filters together: ${hidden.together}.`,
    hidden?.state && `Further memories with the state "history": ${hidden.state}.`,
    state?.suppressed_count && `Superseded memories left out: ${state.suppressed_count}.`,
    duplicates > 0 && `Duplicates left out: ${duplicates}.`,
    !vectors.enabled && 'Search by meaning does not work at the moment: these results were found by words.',
  ].filter(Boolean);
  return notes.length === 0 ? null : html`<p class="meta">${notes.join(' ')}</p>`;
}

function Nothing({ isFiltered }: { isFiltered: boolean }): VNode {
  if (isFiltered)
    return html`<div class="empty"><h2>Nothing was found</h2>
      <p>Try other words, or fewer filters. With the state “history” a search also shows memories that were replaced, have
      expired or are archived.</p></div>`;
  return html`<div class="empty"><h2>Nothing is remembered yet</h2>
    <p>Tell your assistant a lasting fact: “Remember that Ann prefers short answers”. A program can store it too:</p>
    <pre tabindex="0"><code>curl ${location.origin}/memory -H 'Content-Type: application/json' \\
  -d '{"content": "Ann prefers short answers.", "type": "Preference"}'</code></pre>
    <p>The memory appears here with the next search.</p></div>`;
}

interface FilterFieldsProps {
  fields: URLSearchParams;
  /** An empty value removes the filter. */
  onChange: (name: string, value: string) => void;
}

function FilterFields({ fields, onChange }: FilterFieldsProps): VNode {
  const count = countFilters(fields);
  const clear = () => {
    for (const { name } of FILTERS) onChange(name, '');
  };
  return html`<details class="filters">
    <summary>Filters${count > 0 && ` (${count})`}</summary>
    <div class="fields">${FILTERS.map(
      filter => html`<${Field} filter=${filter} value=${fields.get(filter.name) ?? ''}
        onValue=${(value: string) => onChange(filter.name, value)} />`,
    )}</div>
    <p><button type="button" disabled=${count === 0} onClick=${clear}>Clear all filters</button></p>
  </details>`;
}

interface FieldProps {
  filter: Filter;
  value: string;
  onValue: (value: string) => void;
}

function Field({ filter, value, onValue }: FieldProps): VNode {
  const { label, kind, hint, choices = [] } = filter;
  const read = (event: Event) => onValue((event.target as HTMLInputElement | HTMLSelectElement).value);
  if (kind === 'flag') {
    const toggle = (event: Event) => onValue((event.target as HTMLInputElement).checked ? 'true' : '');
    return html`<label class="check"><input type="checkbox" checked=${value !== ''} onChange=${toggle} /> ${label}</label>`;
  }
  if (kind === 'choice') {
    const [usual] = choices;
    return html`<label>${label} <select value=${value} onChange=${read}>${choices.map(
      choice => html`<option value=${choice === usual ? '' : choice}>${choice}</option>`,
    )}</select></label>`;
  }
  return html`<label>${label} <input type="text" inputmode=${kind === 'number' ? 'decimal' : 'text'} value=${value}
    placeholder=${hint} onInput=${read} /></label>`;
}

function WhyNot({ parameters }: { parameters: RecallParameters }): VNode {
  const { service } = useShell();
  const [id, setId] = useState('');
  const [answer, setAnswer] = useState<WhyNotAnswer | undefined>();
  const [error, setError] = useState<string | undefined>();
  const ask = async (event: Event) => {
    event.preventDefault();
    try {
      setAnswer(await service.whyNot(id.trim(), parameters));
      setError(undefined);
    } catch (failure) {
      setAnswer(undefined);
      setError(messageOf(failure));
    }
  };
  return html`<details class="why-not"><summary>Is a memory missing?</summary>
    <form onSubmit=${ask}>
      <label>Id of the memory that you expected <input type="text" required value=${id} spellcheck=${false}
        onInput=${(event: Event) => setId((event.target as HTMLInputElement).value)} /></label>
      <button>Why is it not here?</button>
    </form>
    <div role="status">${error && html`<p class="error">${error}</p>`}
    ${
      answer &&
      html`<p><a href=${hrefOfMemory(answer.id)}>This memory</a>: ${answer.message}${
        answer.rank !== undefined && ` It ranks ${answer.rank}.`
      }${answer.cutoff_score !== undefined && ` The last result has the score ${answer.cutoff_score.toFixed(3)}.`}</p>
      <${ScoreBar} explanation=${answer.explanation} score=${answer.final_score}
        full=${Math.max(answer.final_score, answer.cutoff_score ?? 0, 0.01)} />`
    }</div>
  </details>`;
}
