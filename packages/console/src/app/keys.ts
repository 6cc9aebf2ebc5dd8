import { useLayoutEffect, useRef } from 'preact/hooks';

/** Actions by key: `j`, `Enter`, `?`, or `g j` for a sequence of two keys. */
export type KeyBindings = Readonly<Record<string, (event: KeyboardEvent) => void>>;

const SEQUENCE_MS = 1200;
const bindings: { readonly current: KeyBindings }[] = [];
let pendingKey: { readonly key: string; readonly at: number } | null = null;

/** Starts to handle keys. The bindings of the component that was mounted last come first. */
export function startKeyboard(): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (isTyping(event.target) && event.key !== 'Escape') return;
    const sequence =
      pendingKey !== null && event.timeStamp - pendingKey.at < SEQUENCE_MS ? `${pendingKey.key} ${event.key}` : null;
    pendingKey = null;
    const action = (sequence === null ? null : findAction(sequence)) ?? findAction(event.key);
    if (action !== null) {
      event.preventDefault();
      action(event);
    } else if (bindings.some(({ current }) => Object.keys(current).some((name) => name.startsWith(`${event.key} `)))) {
      pendingKey = { key: event.key, at: event.timeStamp };
    }
  });
}

/** Binds keys while the component is mounted. A layout effect also catches a key that is pressed at once. */
export function useKeys(keys: KeyBindings): void {
  const latest = useRef(keys);
  latest.current = keys;
  useLayoutEffect(() => {
    bindings.push(latest);
    return () => {
      bindings.splice(bindings.indexOf(latest), 1);
    };
  }, []);
}

/** Focuses the search field of the view, if it has one. */
export function focusSearch(): void {
  const search = document.querySelector('input[type="search"]');
  if (search instanceof HTMLInputElement) search.focus();
}

function findAction(name: string): ((event: KeyboardEvent) => void) | null {
  const map = bindings.findLast(({ current }) => Object.hasOwn(current, name));
  return map?.current[name] ?? null;
}

function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio', 'button', 'submit'].includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}
