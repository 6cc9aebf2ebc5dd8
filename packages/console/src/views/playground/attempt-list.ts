import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { numberAt, textAt } from '#console/app/json.ts';
import { Badge } from '#console/parts/status.ts';
import { toDuration, toSize } from '#console/parts/format.ts';

type AttemptLineProps = { readonly attempts: readonly unknown[] };

/** The steps of the ladder one after the other, each as long as it took. */
export function AttemptLine({ attempts }: AttemptLineProps): VNode {
  const total = Math.max(
    1,
    attempts.reduce((sum: number, one) => sum + (numberAt(one, 'duration_ms') ?? 0), 0),
  );
  let before = 0;
  return html`<ol class="attempts" aria-label="Attempts">
    ${attempts.map((attempt) => {
      const took = numberAt(attempt, 'duration_ms') ?? 0;
      const from = before;
      before += took;
      const outcome = textAt(attempt, 'outcome');
      const bar = { left: `${(100 * from) / total}%`, width: `${Math.max(1, (100 * took) / total)}%` };
      return html`<li>
        <span>${textAt(attempt, 'tier')}</span>
        <${Badge} word=${outcome} tone=${outcome === 'ok' ? 'good' : 'bad'} />
        <span class="attempt-track" aria-hidden="true"
          ><span class=${outcome === 'ok' ? 'ok' : 'bad'} style=${bar}></span
        ></span>
        <span class="number">${toDuration(took)}</span>
        <span class="faint">${toAbout(attempt)}</span>
      </li>`;
    })}
  </ol>`;
}

function toAbout(attempt: unknown): string {
  const bytes = numberAt(attempt, 'bytes');
  return [numberAt(attempt, 'status_code') ?? '', textAt(attempt, 'reason'), bytes === null ? '' : toSize(bytes)]
    .filter((part) => part !== '')
    .join(' · ');
}
