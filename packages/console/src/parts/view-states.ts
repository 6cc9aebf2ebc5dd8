import { html } from 'htm/preact';
import type { ComponentChildren, VNode } from 'preact';
import { type ApiFailure, isPassing } from '#console/app/api.ts';
import { valueAt } from '#console/app/json.ts';
import type { Resource } from '#console/app/resource.ts';

/** What to do about a code, where the service's own sentence does not say it. */
const ADVICE: Readonly<Record<string, string>> = {
  no_answer: 'Check that the service runs. The page asks again by itself.',
  backend_unavailable: 'What it needs is away for now: try again in a moment.',
  not_found: 'It may have been deleted, or belongs to another tenant.',
  credits_exhausted: 'Wait for the next cycle, or ask the operator for a top-up.',
  daily_credit_cap_exceeded: 'Wait until the cap is counted anew, or ask the operator for a higher one.',
  plan_upgrade_required: 'Ask the operator for a plan that has it.',
  rate_limited: 'Wait a moment, then try again.',
  concurrency_limit_exceeded: 'Wait until a running call has ended, or run this one as a job.',
  target_blocked: 'Allow a stronger tier, or set a proxy.',
  proxy_required: 'The page wants another address: set a proxy in the request or for the service.',
  timeout: 'Give it more time, or a cheaper tier.',
};

type FailureNoteProps = { readonly failure: ApiFailure; readonly onRetry?: (() => void) | undefined };

/** A failed call: what happened, what to do, and the code and id that a report needs. */
export function FailureNote({ failure, onRetry }: FailureNoteProps): VNode {
  const { code, message, details, requestId, retryAfterSeconds, body } = failure;
  // Where the service says that another try ends the same, its own sentence names what to change.
  const advice = valueAt(body, 'diagnostics', 'retryable') === false ? undefined : ADVICE[code];
  const lines = details.filter((line) => line !== message);
  return html`<div class="note note-bad" role="alert">
    <p><strong dir="auto">${message}</strong></p>
    ${
      lines.length > 0
        ? html`<ul>
            ${lines.map((line) => html`<li dir="auto">${line}</li>`)}
          </ul>`
        : null
    }
    ${advice === undefined ? null : html`<p>${advice}</p>`}
    <p class="faint">
      <code>${code}</code>${requestId === null ? null : html` · <code>${requestId}</code>`}${
        retryAfterSeconds === null ? null : ` · again after ${retryAfterSeconds} s`
      }
    </p>
    ${
      onRetry !== undefined && (isPassing(failure) || failure.status >= 500)
        ? html`<button type="button" onClick=${onRetry}>Try again</button>`
        : null
    }
  </div>`;
}

type EmptyProps = { readonly title: string; readonly children: ComponentChildren };

/** A place that holds nothing yet: what would stand here, and how to get it. */
export function Empty({ title, children }: EmptyProps): VNode {
  return html`<div class="empty">
    <p class="empty-title">${title}</p>
    <div>${children}</div>
  </div>`;
}

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
