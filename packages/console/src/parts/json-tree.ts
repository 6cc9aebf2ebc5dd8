import { html } from 'htm/preact';
import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { UntrustedText, UntrustedLink, parseWebUrl } from './untrusted.ts';

const CHUNK_SIZE = 100;
const OPEN_LEVELS = 2;
/** Below the first level, a value with more members than this is closed at first. */
const MAX_OPEN = 30;

type JsonTreeProps = { readonly value: unknown; readonly label: string };

/** A JSON value as a tree that opens level by level; long lists and texts are shown in parts. */
export function JsonTree({ value, label }: JsonTreeProps): VNode {
  return html`<div class="json" role="region" aria-label=${label} tabIndex=${0}>
    <${JsonNode} name=${null} value=${value} level=${0} />
  </div>`;
}

type JsonNodeProps = { readonly name: string | null; readonly value: unknown; readonly level: number };

function JsonNode({ name, value, level }: JsonNodeProps): VNode {
  const members = listEntries(value);
  const [isOpen, setOpen] = useState(
    members !== null && level < OPEN_LEVELS && (level === 0 || members.length <= MAX_OPEN),
  );
  const key = name === null ? null : html`<span class="json-name"><bdi>${name}</bdi>: </span>`;
  if (members === null) return html`<div class="json-leaf">${key}${renderLeaf(value)}</div>`;
  const bounds = Array.isArray(value) ? '[]' : '{}';
  if (members.length === 0) return html`<div class="json-leaf">${key}<span class="faint">${bounds}</span></div>`;
  const unit = Array.isArray(value) ? 'items' : 'members';
  return html`<details open=${isOpen} onToggle=${(event: Event) => setOpen(isDetailsOpen(event))}>
    <summary>${key}<span class="faint">${bounds[0]} ${members.length} ${unit} ${bounds[1]}</span></summary>
    ${isOpen ? html`<${JsonMembers} members=${members} level=${level + 1} />` : null}
  </details>`;
}

type JsonMembersProps = { readonly members: readonly (readonly [string, unknown])[]; readonly level: number };

function JsonMembers({ members, level }: JsonMembersProps): VNode {
  const [shown, setShown] = useState(CHUNK_SIZE);
  return html`<div class="json-members">
    ${members
      .slice(0, shown)
      .map(([name, value]) => html`<${JsonNode} key=${name} name=${name} value=${value} level=${level} />`)}
    ${
      members.length > shown
        ? html`<button type="button" class="link" onClick=${() => setShown(shown + 10 * CHUNK_SIZE)}>
            ${(members.length - shown).toLocaleString('en')} more
          </button>`
        : null
    }
  </div>`;
}

function listEntries(value: unknown): readonly (readonly [string, unknown])[] | null {
  return typeof value === 'object' && value !== null ? Object.entries(value) : null;
}

function renderLeaf(value: unknown): ComponentChildren {
  if (typeof value !== 'string') return html`<span class="json-word">${JSON.stringify(value) ?? 'undefined'}</span>`;
  const isAddress = value.length < 2000 && parseWebUrl(value) !== null;
  return html`<span class="json-text"
    >${isAddress ? html`<${UntrustedLink} url=${value} />` : html`<${UntrustedText} text=${value} maxLength=${500} />`}</span
  >`;
}

/** Whether the `details` element that fired an event is open. */
export function isDetailsOpen(event: Event): boolean {
  return event.currentTarget instanceof HTMLDetailsElement && event.currentTarget.open;
}
