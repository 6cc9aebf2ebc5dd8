import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import type { ErrorCode, ServiceError } from '#kernel/errors.ts';
import { buildFileUri, type Pictures } from './files.ts';
import { type NamedFile, renderAnswer, type RenderedAnswer, countTokens, MAX_TOKENS, sliceTokens } from './render.ts';
import type { ToolFinding } from './tool.ts';

/** Share of tokens reserved for overhead: how to continue, and JSON escapes. */
const OVERHEAD_SHARE = 0.12;
/** Maximum share of tokens for the lines before the text. */
const MAX_LINES_SHARE = 0.7;
const MAX_FILES = 10;
const MAX_FACT_LENGTH = 500;

/** Which part of an answer to return. */
export type ResultBounds = {
  /** Where the text begins, from `next_offset` of an earlier answer. */
  readonly offset: number;
  readonly maxTokens: number | null;
  /** Whether to add structured content to the text. */
  readonly withFacts: boolean;
};

/** A finding with the part of its body that is shown, rendered as text. */
export type RenderedFinding = ToolFinding & { readonly shown: JsonObject; readonly rendered: RenderedAnswer };

/** Renders the part of a finding that its view shows. */
export function renderFinding(finding: ToolFinding): RenderedFinding {
  const { body, view } = finding;
  const { request_id: _request, usage: _usage, ...rest } = body;
  const shown = view.toShown?.(body) ?? rest;
  return { ...finding, shown, rendered: renderAnswer(shown) };
}

/** Builds the result of a tool. The text contains everything; the structured content only short facts. */
export function buildToolResult(finding: RenderedFinding, bounds: ResultBounds, pictures: Pictures): CallToolResult {
  const { body, view, continuation: onwards, shown } = finding;
  const { lines, sections, files } = finding.rendered;
  const tokens = (bounds.maxTokens ?? MAX_TOKENS) * (1 - OVERHEAD_SHARE);
  const credits = getCredits(body);
  const linked = files.filter(({ id }) => !pictures.has(id)).slice(0, MAX_FILES);
  // The lines are repeated before each part, so offsets do not count them.
  const shownLines = bounds.offset > 0 ? lines.slice(0, 2) : lines;
  const head = [...shownLines, ...(credits === null ? [] : [`credits: ${credits}`])];
  const header = sliceTokens(head.join('\n'), 0, tokens * MAX_LINES_SHARE).part;
  const facts = { ...pickFacts(shown, view.facts ?? {}), ...(credits === null ? {} : { credits }) };
  const remainingTokens = tokens - countTokens(header) - countTokens(JSON.stringify(facts)) - 60 * linked.length;
  const { part, next } = sliceTokens(sections, bounds.offset, remainingTokens);
  const nextCursor = typeof shown['next_cursor'] === 'string' ? shown['next_cursor'] : null;
  const place =
    next === null ? 'The list has more entries.' : `Characters ${bounds.offset} to ${next} of ${sections.length}.`;
  const rest = formatContinuation({ next, cursor: nextCursor, place }, onwards);
  const text = [header, part, rest].filter((piece) => piece !== '').join('\n\n');
  const structured = {
    ...facts,
    ...(next === null ? {} : { next_offset: next }),
    ...(nextCursor === null ? {} : { next_cursor: nextCursor }),
  };
  return {
    isError: false,
    content: [
      { type: 'text', text: text === '' ? 'Done.' : text },
      ...files.flatMap(({ id, type }) => {
        const data = pictures.get(id);
        return data === undefined ? [] : [{ type: 'image' as const, data, mimeType: type }];
      }),
      ...linked.map(buildResourceLink),
    ],
    ...(bounds.withFacts ? { structuredContent: structured } : {}),
  };
}

/** Formats how to read the rest of an answer; empty if there is none. */
function formatContinuation(
  { next, cursor, place }: { readonly next: number | null; readonly cursor: string | null; readonly place: string },
  onwards: ToolFinding['continuation'],
): string {
  if (next === null && cursor === null) return '';
  if ('instead' in onwards) return `[${place} To read all of it, ${onwards.instead}.]`;
  const part = next === null ? 'cursor: next_cursor' : `offset: ${next}`;
  return `[${place} To continue, call ${onwards.call} and ${part}.]`;
}

/** Picks the declared facts that are short. */
function pickFacts(shown: JsonObject, named: Readonly<Record<string, string>>): JsonObject {
  const pairs = Object.keys(named).map((name) => [name, shown[name]] as const);
  return Object.fromEntries(
    pairs.filter(
      ([, value]) =>
        typeof value === 'number' ||
        typeof value === 'boolean' ||
        (typeof value === 'string' && value.length <= MAX_FACT_LENGTH),
    ),
  );
}

function getCredits({ usage }: JsonObject): number | null {
  const credits = isJsonObject(usage) ? usage['credits'] : null;
  return typeof credits === 'number' ? credits : null;
}

function buildResourceLink({ name, id, type, bytes }: NamedFile) {
  return { type: 'resource_link' as const, uri: buildFileUri(id), name, mimeType: type, size: bytes };
}

/** Advice for agents by error code. */
const ADVICE: Readonly<Partial<Record<ErrorCode, string>>> = {
  invalid_request: 'Call the tool with help: true to see all parameters.',
  plan_upgrade_required: 'The plan of this key does not include it: tell the user, or omit the option.',
  credits_exhausted: 'No credits remain: the tool usage shows when the next cycle starts.',
  daily_credit_cap_exceeded: 'The daily credits are used up: the tool usage shows when they are reset.',
  free_plan_proxy_required: 'The page needs a proxy, which the plan of this key does not include: try another source.',
  proxy_required: 'Try again with proxy: "stealth", or another source.',
  target_blocked: 'The site refuses automated visits: try proxy: "stealth" once, else another source.',
  target_rate_limited: 'The site asks for a slower pace: try again later.',
  target_unreachable: 'Check the URL, or try another source.',
  unsupported_content: 'This kind of file cannot be read as text: try another URL.',
  content_too_large: 'Ask for less: fewer formats, or a smaller limit.',
  not_found: 'Check the id, URL or tool name: the action list of the tools job and monitor shows the existing ids.',
  tenant_suspended:
    'Tell the user that the operator of the service must resume the tenant. Existing data can still be read.',
  job_not_finished: 'Use the tool job with action show and wait_ms: 30000, or its action result with partial: true.',
  job_failed: 'The cause is stated above: start the job again with other options.',
  job_cancelled: 'The action result with partial: true returns what the job had.',
  result_expired: 'Results are stored for a limited time: run the work again.',
  extraction_failed: 'Request markdown instead, or give selectors.',
  timeout: 'Try again with a larger timeout_ms, or submit it with the tool job.',
  queue_full: 'Wait until other jobs have ended: the tool job lists them.',
};

/** Builds the result of a failed call: what went wrong, whether retrying may help, and what else to do. */
export function buildToolFailure(error: ServiceError): CallToolResult {
  const { code, message, retryable, retryAfterSeconds: seconds } = error;
  const wait = seconds === null ? 'a little later' : `in ${seconds} s`;
  // Against a block, only a different call may help, which the advice describes.
  const mayPass = retryable && code !== 'target_blocked';
  const advice = [...(mayPass ? [`The same call may succeed ${wait}.`] : []), ADVICE[code] ?? ''].join(' ').trim();
  const text = advice === '' ? `${code}: ${message}` : `${code}: ${message}\n${advice}`;
  return { isError: true, content: [{ type: 'text', text }] };
}
