/**
 * The format for files of hooks. The key `hooks` has a list of groups for each event. Other programs have groups in the
 * same lists. This format edits only our group, and recognizes our group by the tool that it calls.
 */
import { ConnectError } from './connect-error.js';
import { type Format, isObject, type JsonObject, type Piece, valueAt } from './format.js';
import { HOOK_TOOL } from './host-hooks.js';
import { appendElement, jsonFormat, removeElement, replaceElement, setValue } from './json-format.js';

export const hooksFormat: Format = { parse, set, takeOut };

function parse(text: string): Record<string, unknown> {
  const hooks = valueAt(jsonFormat.parse(text), ['hooks']);
  const events = isObject(hooks) ? Object.keys(hooks) : [];
  const ours = events.flatMap(event => {
    const { groups, index } = listOf(text, event);
    return index < 0 ? [] : [[event, groups[index]] as const];
  });
  return Object.fromEntries(ours);
}

function set(text: string, { path: [event = ''], value }: Piece): string {
  const { index, isThere } = listOf(text, event);
  const path = ['hooks', event];
  if (!isThere) return setValue(text, { path, value: [value] });
  return index < 0 ? appendElement(text, path, value) : replaceElement(text, { path, index }, value);
}

function takeOut(text: string, [event = '']: readonly string[], before: string): string {
  const { groups, index } = listOf(text, event);
  if (index < 0) return text;
  const former = listOf(before, event);
  const formerGroup = former.groups[former.index] as JsonObject | undefined;
  const path = ['hooks', event];
  if (formerGroup !== undefined) return replaceElement(text, { path, index }, formerGroup);
  if (groups.length === 1 && !former.isThere) return jsonFormat.takeOut(text, path, before);
  return removeElement(text, { path, index });
}

/** The groups of an event, and the index of our group. The index is -1 if our group is missing. */
function listOf(text: string, event: string): { groups: readonly unknown[]; index: number; isThere: boolean } {
  const found = valueAt(jsonFormat.parse(text), ['hooks', event]);
  if (found === undefined) return { groups: [], index: -1, isThere: false };
  if (!Array.isArray(found)) throw new ConnectError(`'hooks.${event}' should be a list, but is something else`);
  return { groups: found, index: found.findIndex(isOurs), isThere: true };
}

function isOurs(group: unknown): boolean {
  const hooks = isObject(group) && Array.isArray(group.hooks) ? group.hooks : [];
  return hooks.some(hook => isObject(hook) && hook.tool === HOOK_TOOL);
}
