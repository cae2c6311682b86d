/** Finds a file format by its name, and is the format for hooks in JSON: of a list of hooks, only ours are changed. */
import { ConnectError, type FileFormat, isJsonObject, type JsonObject, type Piece, valueAt } from './format.js';
import { isOurHook } from './host-hooks.js';
import { appendElement, jsonFormat, removeElement, replaceElement, setValue } from './json-format.js';
import { rulesFormat } from './rules-format.js';
import { scriptFormat } from './script-format.js';
import { tomlFormat } from './toml-format.js';
import { yamlFormat } from './yaml-format.js';

export type FormatName = 'json' | 'toml' | 'yaml' | 'hooks' | 'versioned-hooks' | 'rules' | 'script';

const hooksFormat: FileFormat = { parse, set, takeOut };

/** For files that must have `"version": 1` beside the hooks. */
const versionedHooksFormat: FileFormat = {
  ...hooksFormat,
  set: (text, piece) => set(withVersion(text), piece),
  takeOut: (text, path, before) => withoutVersion(takeOut(text, path, before), before),
};

const FORMATS: Readonly<Record<FormatName, FileFormat>> = {
  json: jsonFormat,
  toml: tomlFormat,
  yaml: yamlFormat,
  hooks: hooksFormat,
  'versioned-hooks': versionedHooksFormat,
  rules: rulesFormat,
  script: scriptFormat,
};

export function formatOf(name: FormatName): FileFormat {
  return FORMATS[name];
}

const HOOKS = 'hooks';
const VERSION = 'version';

/** The whole file, but from the hooks only our elements. A host may also keep settings beside the lists of hooks. */
function parse(text: string): Record<string, unknown> {
  const root = jsonFormat.parse(text) as Record<string, unknown>;
  const { [HOOKS]: hooks, ...others } = root;
  const ours = Object.entries(isJsonObject(hooks) ? hooks : {}).flatMap(([event, elements]) => {
    const found = Array.isArray(elements) ? elements.find(hasOurs) : undefined;
    return found === undefined ? [] : [[event, found] as const];
  });
  return ours.length === 0 ? others : { ...others, [HOOKS]: Object.fromEntries(ours) };
}

function set(text: string, piece: Piece): string {
  const { path, value } = piece;
  const event = eventAt(path);
  if (event === undefined) return jsonFormat.set(text, piece);
  const { index, isThere } = listOf(text, event);
  if (!isThere) return setValue(text, { path, value: [value] });
  return index < 0 ? appendElement(text, path, value) : replaceElement(text, { path, index }, value);
}

function takeOut(text: string, path: readonly string[], before: string): string {
  const event = eventAt(path);
  if (event === undefined) return jsonFormat.takeOut(text, path, before);
  const { elements, index } = listOf(text, event);
  if (index < 0) return text;
  const former = listOf(before, event);
  const formerElement = former.elements[former.index] as JsonObject | undefined;
  if (formerElement !== undefined) return replaceElement(text, { path, index }, formerElement);
  if (elements.length === 1 && !former.isThere) return jsonFormat.takeOut(text, path, before);
  return removeElement(text, { path, index });
}

function eventAt([key, event, ...rest]: readonly string[]): string | undefined {
  return key === HOOKS && rest.length === 0 ? event : undefined;
}

/** The elements of an event's list, and the index of ours. The index is -1 if ours is missing. */
function listOf(text: string, event: string): { elements: readonly unknown[]; index: number; isThere: boolean } {
  const found = valueAt(jsonFormat.parse(text), [HOOKS, event]);
  if (found === undefined) return { elements: [], index: -1, isThere: false };
  if (!Array.isArray(found)) throw new ConnectError(`'${HOOKS}.${event}' should be a list, but is something else`);
  return { elements: found, index: found.findIndex(hasOurs), isThere: true };
}

/** The element is a hook, or a group of hooks. */
function hooksIn(element: unknown): readonly unknown[] {
  return isJsonObject(element) && Array.isArray(element[HOOKS]) ? element[HOOKS] : [element];
}

function hasOurs(element: unknown): boolean {
  return hooksIn(element).some(hook => isJsonObject(hook) && isOurHook(hook as JsonObject));
}

function withVersion(text: string): string {
  const version = valueAt(jsonFormat.parse(text), [VERSION]);
  return version === undefined ? setValue(text, { path: [VERSION], value: 1 }) : text;
}

/** Removes the version with the last hook. */
function withoutVersion(text: string, before: string): string {
  const hasHooks = valueAt(jsonFormat.parse(text), [HOOKS]) !== undefined;
  return hasHooks ? text : jsonFormat.takeOut(text, [VERSION], before);
}
