import { useLayoutEffect, useRef } from 'preact/hooks';

/** What keys do, by their name: `j`, `Enter`, `?`, or `g j` for one after the other. */
export type KeyMap = Readonly<Record<string, (event: KeyboardEvent) => void>>;

const SEQUENCE_MS = 1200;
const open: { readonly current: KeyMap }[] = [];
let first: { readonly key: string; readonly at: number } | null = null;

/** Hears the keys; what was drawn last is asked first. */
export function startKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (isTyping(event.target) && event.key !== 'Escape') return;
    const sequence = first !== null && event.timeStamp - first.at < SEQUENCE_MS ? `${first.key} ${event.key}` : null;
    first = null;
    const action = (sequence === null ? null : find(sequence)) ?? find(event.key);
    if (action !== null) {
      event.preventDefault();
      action(event);
    } else if (open.some(({ current }) => Object.keys(current).some((name) => name.startsWith(`${event.key} `)))) {
      first = { key: event.key, at: event.timeStamp };
    }
  });
}

/** Lets keys do something while the component is shown, from the moment it is: a key pressed at once is heard. */
export function useKeys(keys: KeyMap): void {
  const latest = useRef(keys);
  latest.current = keys;
  useLayoutEffect(() => {
    open.push(latest);
    return () => {
      open.splice(open.indexOf(latest), 1);
    };
  }, []);
}

/** Puts the focus into the search of the view, if it has one. */
export function focusSearch(): void {
  const search = document.querySelector('input[type="search"]');
  if (search instanceof HTMLInputElement) search.focus();
}

function find(name: string): ((event: KeyboardEvent) => void) | null {
  const map = open.findLast(({ current }) => Object.hasOwn(current, name));
  return map?.current[name] ?? null;
}

function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio', 'button', 'submit'].includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}
