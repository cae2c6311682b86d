/** Keyboard shortcuts of the whole page. */
import { useLayoutEffect } from 'preact/hooks';

const SWITCH = 'engraph.keys';

/** People can switch off single-key shortcuts, because speech input and shaking hands trigger them by accident. */
export function areKeysOn(): boolean {
  return localStorage.getItem(SWITCH) !== 'off';
}

export function switchKeys(isOn: boolean): void {
  localStorage.setItem(SWITCH, isOn ? 'on' : 'off');
}

export type KeyActions = Readonly<Record<string, () => void>>;

/** Runs the action of a key that is pressed outside text fields and dialogs, without Ctrl, Alt or Meta. */
export function useKeys(actions: KeyActions): void {
  // Listen before the frame is drawn. Otherwise a key that is pressed right after the view appears would do nothing.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
      const action = areKeysOn() ? actions[event.key] : undefined;
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
}

/** Elements in which keys do not work as shortcuts. Sliders and checkboxes take no letters, so they are left out. */
const TEXT_FIELDS = 'input:not([type=range], [type=checkbox]), textarea, select, dialog';

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(TEXT_FIELDS) !== null;
}

/** Moves the focus among the items of the view. @param step 1 for the next, -1 for the one before */
export function moveFocus(step: 1 | -1): void {
  const items = [...document.querySelectorAll<HTMLElement>('[data-item]')];
  const active = document.activeElement;
  const current = items.findIndex(item => item === active || item.closest('li')?.contains(active));
  const next = current === -1 ? (step === 1 ? 0 : items.length - 1) : current + step;
  items[Math.min(Math.max(next, 0), items.length - 1)]?.focus();
}
