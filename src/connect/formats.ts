/** Finds a file format by its name. */
import type { Format } from './format.js';
import { hooksFormat, versionedHooksFormat } from './hooks-format.js';
import { jsonFormat } from './json-format.js';
import { rulesFormat } from './rules-format.js';
import { scriptFormat } from './script-format.js';
import { tomlFormat } from './toml-format.js';
import { yamlFormat } from './yaml-format.js';

export type FormatName = 'json' | 'toml' | 'yaml' | 'hooks' | 'versioned-hooks' | 'rules' | 'script';

const FORMATS: Readonly<Record<FormatName, Format>> = {
  json: jsonFormat,
  toml: tomlFormat,
  yaml: yamlFormat,
  hooks: hooksFormat,
  'versioned-hooks': versionedHooksFormat,
  rules: rulesFormat,
  script: scriptFormat,
};

export function formatOf(name: FormatName): Format {
  return FORMATS[name];
}
