/**
 * Files of hooks: `hooks` has a list of groups for each event, and others have groups there too. What this format calls the
 * value of an event is our group alone, told by the tool that it calls.
 */
import jsonc from 'jsonc-parser';
import { ConnectError } from './connect-error.js';
import { endOfLine, type Format, isObject, isSame, type Piece, valueAt } from './format.js';
import { HOOK_TOOL } from './host-hooks.js';
import { jsonFormat, setValue } from './json-format.js';

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
  const { groups, index, isThere } = listOf(text, event);
  if (!isThere) return setValue(text, { path: ['hooks', event], value: [value] });
  const at = index < 0 ? groups.length : index;
  return edited(text, { event, at, isInsertion: index < 0, value });
}

function takeOut(text: string, [event = '']: readonly string[], before: string): string {
  const { groups, index } = listOf(text, event);
  if (index < 0) return text;
  const former = listOf(before, event);
  const formerGroup = former.groups[former.index];
  if (formerGroup !== undefined) return edited(text, { event, at: index, isInsertion: false, value: formerGroup });
  if (groups.length === 1 && !former.isThere) return jsonFormat.takeOut(text, ['hooks', event], before);
  return edited(text, { event, at: index, isInsertion: false, value: undefined });
}

/** The groups of an event, and which of them is ours; -1 where none is. */
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

interface Edit {
  event: string;
  at: number;
  isInsertion: boolean;
  /** Undefined takes the group out. */
  value: unknown;
}

/** @throws ConnectError where anything else would change */
function edited(text: string, { event, at, isInsertion, value }: Edit): string {
  const eol = endOfLine(text);
  const isIndentedByTabs = /\n\t/.test(text);
  const tabSize = /\n( +)\S/.exec(text)?.[1]?.length ?? 2;
  const edits = jsonc.modify(text, ['hooks', event, at], value, {
    isArrayInsertion: isInsertion,
    formattingOptions: { eol, insertSpaces: !isIndentedByTabs, tabSize },
  });
  const changed = jsonc.applyEdits(text, edits);
  const { groups } = listOf(text, event);
  const expected = [
    ...groups.slice(0, at),
    ...(value === undefined ? [] : [value]),
    ...groups.slice(at + (isInsertion ? 0 : 1)),
  ];
  if (isSame(listOf(changed, event).groups, expected) && isSame(without(changed, event), without(text, event)))
    return changed;
  throw new ConnectError('It could not be edited without a change to its other contents');
}

function without(text: string, event: string): unknown {
  const root = jsonFormat.parse(text);
  const { hooks, ...others } = isObject(root) ? root : {};
  const { [event]: _, ...otherEvents } = isObject(hooks) ? hooks : {};
  return { ...others, hooks: otherEvents };
}
