import { signal } from '@preact/signals';
import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { isRecord, parseJson, getList, getNumber, getRecord, getText } from '#console/app/json.ts';
import { linkTo } from '#console/app/router.ts';
import { session } from '#console/app/session.ts';
import { Dialog } from '#console/parts/dialog.ts';
import { EmptyState } from '#console/parts/view-states.ts';
import { Badge } from '#console/parts/status.ts';
import { Timestamp } from '#console/parts/format.ts';

/** A call that was made in this browser tab: its input, and the status of its response (0 for none). */
export type RecordedCall = {
  readonly at: number;
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly status: number;
};

const MAX_CALLS = 50;
const MAX_INPUT_LENGTH = 20_000;
const STORAGE_KEY = 'quern-played';

/** The last calls of this tab, newest first. They are deleted with the tab, since an input may contain secrets. */
const recordedCalls = signal<readonly RecordedCall[]>([]);
let loadedTenant: string | null = null;

/** Adds a call to the history. A call with a very long input is left out. */
export function recordCall(call: RecordedCall): void {
  loadCalls();
  if (JSON.stringify(call.input).length > MAX_INPUT_LENGTH) return;
  recordedCalls.value = [call, ...recordedCalls.value].slice(0, MAX_CALLS);
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ tenant: getTenant(), calls: recordedCalls.value }));
  } catch {
    // Without session storage, the history lasts until the page is closed.
  }
}

/** Loads the stored calls of the current tenant; those of another tenant are not shown. */
function loadCalls(): void {
  const tenant = getTenant();
  if (loadedTenant === tenant) return;
  loadedTenant = tenant;
  const kept = parseJson(readStorage() ?? '');
  recordedCalls.value =
    getText(kept, 'tenant') === tenant ? getList(kept, 'calls').filter(isRecord).map(parseCall) : [];
}

function readStorage(): string | null {
  try {
    return sessionStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}

function parseCall(call: unknown): RecordedCall {
  return {
    at: getNumber(call, 'at') ?? 0,
    operation: getText(call, 'operation'),
    input: getRecord(call, 'input'),
    status: getNumber(call, 'status') ?? 0,
  };
}

function getTenant(): string {
  const who = session.peek();
  return who === null || who === 'unknown' ? '' : who.tenant;
}

/** Builds the link to an operation with an input. */
export function linkToOperation(operation: string, input: Readonly<Record<string, unknown>>): string {
  return linkTo(`/playground/${operation}`, Object.keys(input).length === 0 ? {} : { input: JSON.stringify(input) });
}

/** The button that opens the history, and its dialog. */
export function CallHistory(): VNode {
  const [isOpen, setOpen] = useState(false);
  loadCalls();
  return html`<button type="button" onClick=${() => setOpen(true)}>History</button>
    ${isOpen ? html`<${CallList} onClose=${() => setOpen(false)} />` : null}`;
}

function CallList({ onClose }: { readonly onClose: () => void }): VNode {
  return html`<${Dialog} title="The last calls of this tab" isWide=${true} onClose=${onClose}>
    ${
      recordedCalls.value.length === 0
        ? html`<${EmptyState} title="No calls yet.">The last fifty calls appear here, until the tab is closed.<//>`
        : html`<ul class="played">
            ${recordedCalls.value.map(
              ({ at, operation, input, status }) =>
                html`<li key=${at}>
                  <${Badge}
                    word=${status === 0 ? 'no answer' : String(status)}
                    tone=${status >= 200 && status < 300 ? 'good' : 'bad'}
                  />
                  <a href=${linkToOperation(operation, input)} onClick=${onClose}>${operation}</a>
                  <code class="faint">${JSON.stringify(input).slice(0, 160)}</code>
                  <${Timestamp} at=${at} />
                </li>`,
            )}
          </ul>`
    }
  <//>`;
}
