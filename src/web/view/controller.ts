/** The state of the view, and what a person can do: search, open a memory, change it and delete it. */
import type { MemoryAnswer } from '../../client/client.js';
import { failureMessage } from '../shell/shell.js';
import {
  type Facts,
  type FoundMemories,
  type Host,
  readFoundMemories,
  readMemory,
  type ToolResult,
  textOfResult,
} from './host.js';

const RESULTS = 20;

export interface ViewState {
  /** The last question. The search field shows it. */
  query: string;
  isBusy: boolean;
  /** Whether the host forwards tool calls to the server. */
  canAsk: boolean;
  /** An error, or a notice such as "Nothing to show." */
  message?: string | undefined;
  found?: FoundMemories | undefined;
  opened?: Opened | undefined;
}

export interface Opened {
  facts: Facts;
  /** The memory with all fields; undefined until they are loaded. */
  whole?: MemoryAnswer | undefined;
}

export type ViewChange = Partial<Pick<MemoryAnswer, 'content' | 'tags'>>;

export interface Actions {
  search(query: string, tag?: string): Promise<void>;
  open(id: string): Promise<void>;
  back(): void;
  /** @returns whether the memory was changed */
  save(id: string, change: ViewChange): Promise<boolean>;
  remove(id: string): Promise<void>;
  /** Shows the result of a call of `recall_memory`, such as the call that opened the view. */
  show(result: ToolResult): void;
  set(changed: Partial<ViewState>): void;
}

/** @param draw called after every change of the state */
export function createController(
  host: Pick<Host, 'callTool' | 'tellModel'>,
  draw: (state: ViewState, actions: Actions) => void,
): Actions {
  let state: ViewState = { query: '', isBusy: false, canAsk: false };
  let latest = 0;
  const set = (changed: Partial<ViewState>) => {
    state = { ...state, ...changed };
    draw(state, actions);
  };
  /** Calls a tool. @returns undefined when the call failed, or when the person has started something else since */
  const call = async (name: string, args: Record<string, unknown>): Promise<ToolResult | undefined> => {
    const current = ++latest;
    set({ isBusy: true, message: undefined });
    try {
      const result = await host.callTool(name, args);
      if (current !== latest) return undefined;
      set({ isBusy: false });
      return result;
    } catch (error) {
      if (current === latest) set({ isBusy: false, message: failureMessage(error) });
      return undefined;
    }
  };
  const load = async (id: string) => {
    const result = await call('recall_memory', { memory_id: id });
    if (result === undefined) return;
    const whole = readMemory(result);
    if (whole === undefined) set({ opened: undefined, message: 'This memory does not exist any more.' });
    else set({ opened: { facts: whole, whole }, found: withFacts(state.found, whole) });
  };
  const actions: Actions = {
    search: async (query, tag) => {
      const tags = tag === undefined ? {} : { tags: [tag] };
      const text = query.trim();
      set({ query, opened: undefined });
      const args = { ...(text !== '' && { query: text }), ...tags, limit: RESULTS, explain: true };
      const result = await call('recall_memory', args);
      if (result !== undefined) actions.show(result);
    },
    open: async id => {
      const facts = state.found?.results.find(({ memory }) => memory.id === id)?.memory;
      if (facts !== undefined) set({ opened: { facts } });
      if (!state.canAsk) return;
      host.tellModel(`The person is looking at the memory ${id} in the Engraph view.`);
      await load(id);
    },
    back: () => {
      latest++;
      set({ opened: undefined, isBusy: false, message: undefined });
    },
    save: async (id, change) => {
      if ((await call('update_memory', { memory_id: id, ...change })) === undefined) return false;
      host.tellModel(`The person has changed the memory ${id} in the Engraph view. Recall it again before you use it.`);
      await load(id);
      return true;
    },
    remove: async id => {
      if ((await call('delete_memory', { memory_id: id })) === undefined) return;
      host.tellModel(`The person has deleted the memory ${id} in the Engraph view.`);
      const results = state.found?.results.filter(({ memory }) => memory.id !== id) ?? [];
      set({ opened: undefined, found: { results, notes: state.found?.notes ?? [] }, message: 'Deleted.' });
    },
    show: result => {
      const whole = readMemory(result);
      const found = whole === undefined ? readFoundMemories(result) : undefined;
      if (whole !== undefined) set({ opened: { facts: whole, whole }, message: undefined });
      else if (found !== undefined && !result.isError) set({ found, opened: undefined, message: undefined });
      // Once something is shown, ignore other results that are not errors. Some hosts also report calls that the view
      // made, and the view already has their results.
      else if (result.isError || !(state.found || state.opened))
        set({ message: textOfResult(result) || 'Nothing to show.' });
    },
    set,
  };
  return actions;
}

/** Replaces a changed memory in the list of results. */
function withFacts(found: FoundMemories | undefined, { id, content, type, tags, importance, timestamp }: MemoryAnswer) {
  const memory = { id, content, type, tags, importance, timestamp };
  return (
    found && { ...found, results: found.results.map(each => (each.memory.id === id ? { ...each, memory } : each)) }
  );
}
