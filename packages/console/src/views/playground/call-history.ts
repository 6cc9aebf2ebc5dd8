import { signal } from '@preact/signals';
import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { isRecord, jsonIn, listAt, numberAt, recordAt, textAt } from '#console/app/json.ts';
import { linkTo } from '#console/app/router.ts';
import { session } from '#console/app/session.ts';
import { Dialog } from '#console/parts/dialog.ts';
import { Empty } from '#console/parts/view-states.ts';
import { Badge } from '#console/parts/status.ts';
import { When } from '#console/parts/format.ts';

/** A call that was made in this tab: its input, and how it ended. */
export type PlayedCall = {
  readonly at: number;
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly status: number;
};

const MAX = 50;
const MAX_INPUT_LENGTH = 20_000;
const PLACE = 'quern-played';

/** The last calls of this tab, the newest first; they end with it, since an input may hold what is secret. */
const played = signal<readonly PlayedCall[]>([]);
let readFor: string | null = null;

/** Adds a call. One with a very long input is left out. */
export function notePlayed(call: PlayedCall): void {
  readKept();
  if (JSON.stringify(call.input).length > MAX_INPUT_LENGTH) return;
  played.value = [call, ...played.value].slice(0, MAX);
  try {
    sessionStorage.setItem(PLACE, JSON.stringify({ tenant: tenantNow(), calls: played.value }));
  } catch {
    // A browser that keeps nothing remembers them until the page is left.
  }
}

/** What one tenant asked is not shown to the next who signs in. */
function readKept(): void {
  const tenant = tenantNow();
  if (readFor === tenant) return;
  readFor = tenant;
  const kept = jsonIn(readStorage() ?? '');
  played.value = textAt(kept, 'tenant') === tenant ? listAt(kept, 'calls').filter(isRecord).map(toPlayedCall) : [];
}

function readStorage(): string | null {
  try {
    return sessionStorage.getItem(PLACE);
  } catch {
    return null;
  }
}

function toPlayedCall(call: unknown): PlayedCall {
  return {
    at: numberAt(call, 'at') ?? 0,
    operation: textAt(call, 'operation'),
    input: recordAt(call, 'input'),
    status: numberAt(call, 'status') ?? 0,
  };
}

function tenantNow(): string {
  const who = session.peek();
  return who === null || who === 'unknown' ? '' : who.tenant;
}

/** The link to an operation with an input, which is all that it holds. */
export function playLink(operation: string, input: Readonly<Record<string, unknown>>): string {
  return linkTo(`/playground/${operation}`, Object.keys(input).length === 0 ? {} : { input: JSON.stringify(input) });
}

/** The button of the history, and its window. */
export function PlayHistory(): VNode {
  const [isOpen, setOpen] = useState(false);
  readKept();
  return html`<button type="button" onClick=${() => setOpen(true)}>History</button>
    ${isOpen ? html`<${PlayedList} onClose=${() => setOpen(false)} />` : null}`;
}

function PlayedList({ onClose }: { readonly onClose: () => void }): VNode {
  return html`<${Dialog} title="The last calls of this tab" isWide=${true} onClose=${onClose}>
    ${
      played.value.length === 0
        ? html`<${Empty} title="Nothing was asked yet.">The last fifty calls appear here, until the tab is closed.<//>`
        : html`<ul class="played">
            ${played.value.map(
              ({ at, operation, input, status }) =>
                html`<li key=${at}>
                  <${Badge}
                    word=${status === 0 ? 'no answer' : String(status)}
                    tone=${status >= 200 && status < 300 ? 'good' : 'bad'}
                  />
                  <a href=${playLink(operation, input)} onClick=${onClose}>${operation}</a>
                  <code class="faint">${JSON.stringify(input).slice(0, 160)}</code>
                  <${When} at=${at} />
                </li>`,
            )}
          </ul>`
    }
  <//>`;
}
