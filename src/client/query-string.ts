/** Formats the parameters of a request as a query string. */

/**
 * Every item of a list becomes a separate parameter with the name of the list. If a parameter occurs only once, the
 * service splits it at its commas, and reads it as a list if it looks like JSON. To prevent this, a blank item follows
 * such a single item. The service ignores the blank item.
 *
 * @returns an empty text when no parameter has a value
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
  // The numbers of an embedding are sent as one comma-separated text.
  if (!Array.isArray(value) || name === 'embedding') return [value];
  return value.length === 1 && /,|^\s*[[{]/.test(String(value[0])) ? [...value, ''] : value;
}
