import { html } from 'htm/preact';
import type { ComponentChildren, VNode } from 'preact';
import { type ApiFailure, isTemporary } from '#console/app/api.ts';
import { getValue } from '#console/app/json.ts';
import type { Resource } from '#console/app/resource.ts';

/** What to do about an error code, if the message of the service does not say it. */
const ADVICE: Readonly<Record<string, string>> = {
  no_answer: 'Check that the service is running. The page retries by itself.',
  backend_unavailable: 'A part of the service is unavailable: try again in a moment.',
  not_found: 'It may have been deleted, or it belongs to another tenant.',
  credits_exhausted: 'Wait for the next cycle, or ask the operator for a top-up.',
  daily_credit_cap_exceeded: 'Wait until the daily cap is reset, or ask the operator for a higher one.',
  plan_upgrade_required: 'Ask the operator for a plan that includes it.',
  rate_limited: 'Wait a moment, then try again.',
  concurrency_limit_exceeded: 'Wait until a running call has ended, or run this one as a job.',
  target_blocked: 'Allow a stronger tier, or set a proxy.',
  proxy_required: 'The site blocks the address of the service: set a proxy in the request or for the service.',
  timeout: 'Raise timeout_ms, or use a faster tier.',
};

type FailureNoteProps = { readonly failure: ApiFailure; readonly onRetry?: (() => void) | undefined };

/** A failed call: the message, advice, and the error code and request id for a bug report. */
export function FailureNote({ failure, onRetry }: FailureNoteProps): VNode {
  const { code, message, details, requestId, retryAfterSeconds, body } = failure;
  // If the service says that retrying is useless, its own message names what to change.
  const advice = getValue(body, 'diagnostics', 'retryable') === false ? undefined : ADVICE[code];
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
        retryAfterSeconds === null ? null : ` · retry after ${retryAfterSeconds} s`
      }
    </p>
    ${
      onRetry !== undefined && (isTemporary(failure) || failure.status >= 500)
        ? html`<button type="button" onClick=${onRetry}>Try again</button>`
        : null
    }
  </div>`;
}

type EmptyStateProps = { readonly title: string; readonly children: ComponentChildren };

/** A placeholder for an empty list: what will appear here, and how to get it. */
export function EmptyState({ title, children }: EmptyStateProps): VNode {
  return html`<div class="empty">
    <p class="empty-title">${title}</p>
    <div>${children}</div>
  </div>`;
}

type ResourceViewProps = {
  readonly resource: Resource;
  /** Renders the body of the response. */
  readonly children: (body: unknown) => ComponentChildren;
};

/** Renders a resource: a line while it loads, its content, and above it the failure of the last refresh. */
export function ResourceView({ resource: { body, failure, isLoading, reload }, children }: ResourceViewProps): VNode {
  if (body === undefined && failure === null) return html`<p class="loading" aria-busy="true">Loading …</p>`;
  return html`<div class="loaded" aria-busy=${isLoading ? 'true' : 'false'}>
    ${failure === null ? null : html`<${FailureNote} failure=${failure} onRetry=${reload} />`}
    ${body === undefined ? null : children(body)}
  </div>`;
}
