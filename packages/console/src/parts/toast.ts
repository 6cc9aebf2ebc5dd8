import { signal } from '@preact/signals';
import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { doLater } from '#console/app/service-clock.ts';
import type { Tone } from './status.ts';

type Toast = { readonly id: number; readonly text: string; readonly tone: Tone };

const SHOWN_MS = 6000;
const MAX = 4;
const toasts = signal<readonly Toast[]>([]);
let last = 0;

/** Says something for a few seconds, also to those who hear the page. */
export function notify(text: string, tone: Tone = 'good'): void {
  last += 1;
  const id = last;
  toasts.value = [...toasts.value, { id, text, tone }].slice(-MAX);
  doLater(SHOWN_MS, () => drop(id));
}

function drop(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

/** The place where they appear. */
export function Toasts(): VNode {
  return html`<div class="toasts" role="status" aria-live="polite">
    ${toasts.value.map(
      ({ id, text, tone }) =>
        html`<div key=${id} class=${`toast tone-${tone}`}>
          <span dir="auto">${text}</span>
          <button type="button" class="icon" aria-label="Dismiss" onClick=${() => drop(id)}>×</button>
        </div>`,
    )}
  </div>`;
}
