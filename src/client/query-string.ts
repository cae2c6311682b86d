/** The parameters of a request as a query string. */
import type { RecallParameters } from '../api/requests/recall.js';
import { EngraphError } from './engraph-error.js';

/** The service divides a lone question at its commas. A blank question beside it prevents that, and is passed over. */
export function recallQuery({ queries, ...parameters }: RecallParameters = {}): object {
  return { ...parameters, ...(queries && { queries: [...queries, ''] }) };
}

/**
 * Every item of a list becomes a parameter of its own, under the name of the list.
 *
 * @returns an empty text when no parameter has a value
 * @throws EngraphError when an item holds a comma at which the service would divide it
 */
export function queryString(query: object = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of itemsOf(name, value)) {
      if (item !== undefined && item !== null) search.append(name, String(item));
    }
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}

function itemsOf(name: string, value: unknown): unknown[] {
  // The numbers of an embedding travel as one text with commas.
  if (!Array.isArray(value) || name === 'embedding') return [value];
  if (name !== 'queries' && value.some(item => String(item).includes(','))) {
    throw new EngraphError(`'${name}' cannot hold an item with a comma: the service would divide it`, { field: name });
  }
  return value;
}
