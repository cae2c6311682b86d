/** The formats by name. */
import type { Format } from './format.js';
import { jsonFormat } from './json-format.js';
import { tomlFormat } from './toml-format.js';

const FORMATS: Readonly<Record<'json' | 'toml', Format>> = { json: jsonFormat, toml: tomlFormat };

export function formatOf(name: 'json' | 'toml'): Format {
  return FORMATS[name];
}
