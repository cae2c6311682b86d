/** The view for searching. It shows results while the person types. */
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { RecallAnswer } from '../../api/recall.js';
import type { RecallParameters } from '../../api/recall-request.js';
import type { WhyNotAnswer } from '../../api/why-not.js';
import { html } from '../html.js';
import { hrefOfMemory, keepInAddress } from '../shell/route.js';
import { failureMessage, useRequest, useSettled, useShell } from '../shell/shell.js';
import { ResultItem, ScoreBar } from './result.js';

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
            result => html`<${ResultItem} key=${result.id} result=${result} full=${full} />`,
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
      setError(failureMessage(failure));
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

interface Filter {
  name: keyof RecallParameters;
  label: string;
  kind: 'text' | 'number' | 'flag' | 'choice';
  hint?: string;
  /** The first choice is the default. */
  choices?: readonly string[];
}

export const FILTERS: readonly Filter[] = [
  { name: 'tags', label: 'Tags', kind: 'text', hint: 'project:shop, people:ann' },
  { name: 'exclude_tags', label: 'Without tags', kind: 'text', hint: 'draft' },
  { name: 'tag_mode', label: 'Tags needed', kind: 'choice', choices: ['any', 'all'] },
  { name: 'tag_match', label: 'Tags match', kind: 'choice', choices: ['prefix', 'exact'] },
  { name: 'time_query', label: 'Created', kind: 'text', hint: 'last 7 days' },
  { name: 'start', label: 'Created from', kind: 'text', hint: '2026-05-01 or last week' },
  { name: 'end', label: 'Created until', kind: 'text', hint: '2026-05-31 or yesterday' },
  { name: 'state_mode', label: 'State', kind: 'choice', choices: ['current', 'history'] },
  {
    name: 'sort',
    label: 'Order',
    kind: 'choice',
    choices: ['score', 'time_desc', 'time_asc', 'updated_desc', 'updated_asc'],
  },
  { name: 'limit', label: 'Results', kind: 'number', hint: '20' },
  { name: 'min_score', label: 'Minimum score', kind: 'number', hint: '0.3' },
  { name: 'recency_bias', label: 'Prefer newer', kind: 'choice', choices: ['auto', 'on', 'off'] },
  { name: 'queries', label: 'Further questions', kind: 'text', hint: 'which editor, which shell' },
  { name: 'per_query_limit', label: 'Results for each question', kind: 'number' },
  { name: 'context', label: 'Your work now', kind: 'text', hint: 'moving the shop to May’s database' },
  { name: 'language', label: 'Programming language', kind: 'text', hint: 'typescript' },
  { name: 'active_path', label: 'File being edited', kind: 'text', hint: 'src/orders.ts' },
  { name: 'context_tags', label: 'Raise tags', kind: 'text', hint: 'project:shop' },
  { name: 'context_types', label: 'Raise types', kind: 'text', hint: 'Decision, Style' },
  { name: 'priority_ids', label: 'Raise ids', kind: 'text' },
  { name: 'relation_limit', label: 'Maximum relations of a result', kind: 'number', hint: '5' },
  { name: 'expansion_limit', label: 'Maximum added memories', kind: 'number' },
  { name: 'expand_min_importance', label: 'Minimum importance of added memories', kind: 'number', hint: '0 to 1' },
  { name: 'expand_min_strength', label: 'Minimum strength of relations', kind: 'number', hint: '0 to 1' },
  { name: 'max_tokens', label: 'Maximum tokens of the answer', kind: 'number' },
  { name: 'expand_respect_tags', label: 'Add only memories with the tags', kind: 'flag' },
  { name: 'expand_relations', label: 'Add related memories', kind: 'flag' },
  { name: 'expand_entities', label: 'Add memories about the same people and things', kind: 'flag' },
  { name: 'auto_decompose', label: 'Also search for each name and subject', kind: 'flag' },
  { name: 'scope_fallback', label: 'Fill up with memories without the tags', kind: 'flag' },
  { name: 'adaptive_floor', label: 'Leave out results after a gap in the scores', kind: 'flag' },
];

const LISTS: ReadonlySet<string> = new Set([
  'tags',
  'exclude_tags',
  'queries',
  'context_tags',
  'context_types',
  'priority_ids',
]);
const RESULTS = 20;

/** The fields that have a value, as parameters of a recall. */
export function toRecall(fields: URLSearchParams): RecallParameters {
  const given: Record<string, unknown> = { limit: RESULTS, explain: true };
  const query = fields.get('query')?.trim();
  if (query) given.query = query;
  for (const { name, kind } of FILTERS) {
    const value = fields.get(name)?.trim() ?? '';
    if (value !== '') given[name] = readValue(name, kind, value);
  }
  return given as RecallParameters;
}

function readValue(name: string, kind: Filter['kind'], value: string): unknown {
  if (LISTS.has(name)) {
    return value
      .split(',')
      .map(item => item.trim())
      .filter(item => item !== '');
  }
  // A text that is not a number is sent unchanged. The service refuses it and names the field.
  if (kind === 'number') return Number.isNaN(Number(value)) ? value : Number(value);
  return kind === 'flag' ? true : value;
}

/** Counts the filters that have a value. */
export function countFilters(fields: URLSearchParams): number {
  return FILTERS.filter(({ name }) => (fields.get(name) ?? '') !== '').length;
}
