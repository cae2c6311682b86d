/** Parses the elements of a drawing strictly. */
import { expect } from 'vitest';

/** Fails if a tag is not closed, an attribute is not quoted, or a character is not escaped as an entity. */
export function elementsOf(xml: string): { name: string; attributes: Record<string, string> }[] {
  const open: string[] = [];
  const elements: ReturnType<typeof elementsOf> = [];
  const token = /<(\/?)([a-z]+)((?: [\w:-]+="[^"<&]*")*)(\/?)>|(?:[^<>&]|&(?:amp|lt|gt|quot|#39);)+/gy;
  while (token.lastIndex < xml.length) {
    const at = token.lastIndex;
    const match = token.exec(xml);
    if (!match) throw new Error(`not well-formed: ${xml.slice(at, at + 60)}`);
    const [, end, name, attributes = '', isEmpty] = match;
    if (name === undefined) continue;
    if (end) expect(open.pop()).toBe(name);
    else {
      if (!isEmpty) open.push(name);
      const pairs = [...attributes.matchAll(/ ([\w:-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]);
      elements.push({ name, attributes: Object.fromEntries(pairs) });
    }
  }
  expect(open).toEqual([]);
  return elements;
}
