/** Finds a file format by its name. */
import type { Format } from './format.js';
import { hooksFormat, versionedHooksFormat } from './hooks-format.js';
import { jsonFormat } from './json-format.js';
import { rulesFormat } from './rules-format.js';
import { tomlFormat } from './toml-format.js';

export type FormatName = 'json' | 'toml' | 'hooks' | 'versioned-hooks' | 'rules';

const FORMATS: Readonly<Record<FormatName, Format>> = {
  json: jsonFormat,
  toml: tomlFormat,
  hooks: hooksFormat,
  'versioned-hooks': versionedHooksFormat,
  rules: rulesFormat,
};

export function formatOf(name: FormatName): Format {
  return FORMATS[name];
}
