import { html } from 'htm/preact';
import type { ComponentChildren, VNode } from 'preact';

type EmptyProps = { readonly title: string; readonly children: ComponentChildren };

/** A place that holds nothing yet: what would stand here, and how to get it. */
export function Empty({ title, children }: EmptyProps): VNode {
  return html`<div class="empty">
    <p class="empty-title">${title}</p>
    <div>${children}</div>
  </div>`;
}
