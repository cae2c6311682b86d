/** The fields of the filters. They unfold below the search field. */
import type { VNode } from 'preact';
import { html } from '../html.js';
import { countFilters, FILTERS, type Filter } from './filters.js';

interface FilterFieldsProps {
  fields: URLSearchParams;
  /** An empty value removes the filter. */
  onChange: (name: string, value: string) => void;
}

export function FilterFields({ fields, onChange }: FilterFieldsProps): VNode {
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
