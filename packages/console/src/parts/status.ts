import { html } from 'htm/preact';
import type { VNode } from 'preact';

/** The colour of a state: good, in progress, a warning, bad, or neutral. */
export type Tone = 'good' | 'busy' | 'warn' | 'bad' | 'calm';

const TONES: Readonly<Record<string, Tone>> = {
  completed: 'good',
  good: 'good',
  delivered: 'good',
  active: 'good',
  running: 'busy',
  queued: 'calm',
  pending: 'calm',
  paused: 'calm',
  cancelled: 'warn',
  thin: 'warn',
  partial: 'warn',
  failed: 'bad',
  blocked: 'bad',
};

type BadgeProps = { readonly word: string; readonly tone?: Tone };

/** A state as a word with a coloured dot. */
export function Badge({ word, tone }: BadgeProps): VNode {
  return html`<span class=${`badge tone-${tone ?? TONES[word] ?? 'calm'}`}>${word}</span>`;
}

type ProgressBarProps = { readonly label: string; readonly done: number; readonly total: number | null };

/** A progress bar; it is indeterminate if `total` is null. */
export function ProgressBar({ label, done, total }: ProgressBarProps): VNode {
  return total === null
    ? html`<progress aria-label=${label}></progress>`
    : html`<progress aria-label=${label} value=${Math.min(done, total)} max=${Math.max(total, 1)}></progress>`;
}
