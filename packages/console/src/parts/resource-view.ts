import { html } from 'htm/preact';
import type { ComponentChildren, VNode } from 'preact';
import type { Resource } from '#console/app/resource.ts';
import { FailureNote } from './failure.ts';

type ResourceViewProps = {
  readonly of: Resource;
  /** Makes the content of what the service answered. */
  readonly children: (body: unknown) => ComponentChildren;
};

/** What a resource holds: a line while it loads, its content, and above what is known why it could not be read anew. */
export function ResourceView({ of: { body, failure, isLoading, reload }, children }: ResourceViewProps): VNode {
  if (body === undefined && failure === null) return html`<p class="loading" aria-busy="true">Loading …</p>`;
  return html`<div class="loaded" aria-busy=${isLoading ? 'true' : 'false'}>
    ${failure === null ? null : html`<${FailureNote} failure=${failure} onRetry=${reload} />`}
    ${body === undefined ? null : children(body)}
  </div>`;
}
