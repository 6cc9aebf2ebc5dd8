import { signal } from '@preact/signals';
import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { runAfter } from '#console/app/service-clock.ts';
import type { Tone } from './status.ts';

type Toast = { readonly id: number; readonly text: string; readonly tone: Tone };

const SHOWN_MS = 6000;
const MAX_TOASTS = 4;
const toasts = signal<readonly Toast[]>([]);
let last = 0;

/** Shows a message for a few seconds; screen readers announce it. */
export function notify(text: string, tone: Tone = 'good'): void {
  last += 1;
  const id = last;
  toasts.value = [...toasts.value, { id, text, tone }].slice(-MAX_TOASTS);
  runAfter(SHOWN_MS, () => dismiss(id));
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

/** The messages that are shown at present. */
export function Toasts(): VNode {
  return html`<div class="toasts" role="status" aria-live="polite">
    ${toasts.value.map(
      ({ id, text, tone }) =>
        html`<div key=${id} class=${`toast tone-${tone}`}>
          <span dir="auto">${text}</span>
          <button type="button" class="icon" aria-label="Dismiss" onClick=${() => dismiss(id)}>×</button>
        </div>`,
    )}
  </div>`;
}
