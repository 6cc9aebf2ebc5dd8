import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { getNumber, getText } from '#console/app/json.ts';
import { Badge } from '#console/parts/status.ts';
import { formatDuration, formatBytes } from '#console/parts/format.ts';

type AttemptListProps = { readonly attempts: readonly unknown[] };

/** The attempts of a visit on a time line: access tier, outcome and duration. */
export function AttemptList({ attempts }: AttemptListProps): VNode {
  const total = Math.max(
    1,
    attempts.reduce((sum: number, one) => sum + (getNumber(one, 'duration_ms') ?? 0), 0),
  );
  let before = 0;
  return html`<ol class="attempts" aria-label="Attempts">
    ${attempts.map((attempt) => {
      const took = getNumber(attempt, 'duration_ms') ?? 0;
      const from = before;
      before += took;
      const outcome = getText(attempt, 'outcome');
      const bar = { left: `${(100 * from) / total}%`, width: `${Math.max(1, (100 * took) / total)}%` };
      return html`<li>
        <span>${getText(attempt, 'tier')}</span>
        <${Badge} word=${outcome} tone=${outcome === 'ok' ? 'good' : 'bad'} />
        <span class="attempt-track" aria-hidden="true"
          ><span class=${outcome === 'ok' ? 'ok' : 'bad'} style=${bar}></span
        ></span>
        <span class="number">${formatDuration(took)}</span>
        <span class="faint">${describeAttempt(attempt)}</span>
      </li>`;
    })}
  </ol>`;
}

function describeAttempt(attempt: unknown): string {
  const bytes = getNumber(attempt, 'bytes');
  return [getNumber(attempt, 'status_code') ?? '', getText(attempt, 'reason'), bytes === null ? '' : formatBytes(bytes)]
    .filter((part) => part !== '')
    .join(' · ');
}
