import { z } from 'zod';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { getMember, setMember } from '#extract/values/json.ts';
import { type ErrorCode, ServiceError } from '#kernel/errors.ts';
import { isTransientStatus } from '#kernel/transient-status.ts';
import { type Baseline, isPresent } from './baseline.ts';
import { getMemberAt, setMemberAt } from './comparison.ts';
import { formatJsonLines } from './json-text.ts';
import { computeDigest, type TextCleaner, normalizeLines, buildTextCleaner, readValue } from './normal-form.ts';
import { FETCH_ID, type FieldShape, type FieldShapes, isExtract, type WatchedOperation } from './shapes.ts';
import { truncateValue } from './change-entries.ts';
import { getWatchedContent, type Watch, type WatchContent } from './watch.ts';

/** Metadata of one observed field. */
export type FieldMeta = {
  readonly source: 'extract' | 'record';
  /** The value in the answer, if it does not fit the field's type. */
  readonly raw?: string;
  /** ISO 4217 code of a price, null if the source has none. */
  readonly currency?: string | null;
  /** What a price includes, if the source specifies it. */
  readonly basis?: string;
  readonly missing?: true;
};

/** The watched text of a page. A null hash is a page without text. */
export type WatchedContent = {
  /** SHA-256 of the normalized text, in hex. */
  readonly hash: string | null;
  /** The normalized lines of the page, null above 2 MiB. */
  readonly text: string | null;
};

/** The observation of one completed run. `values` is JSON; null is a field that the page does not have. */
export type RunObservation = {
  readonly values: Readonly<Record<string, unknown>>;
  readonly field_meta: Readonly<Record<string, FieldMeta>>;
  /** Null unless the watch has mode `content`. */
  readonly content: WatchedContent | null;
  /** Kinds of a fetched page, such as a login page. */
  readonly pageKinds?: ReturnType<typeof listPageKinds>;
};

/** The operation of a run with its input and answer. */
export type RunAnswer = {
  readonly operation: WatchedOperation;
  readonly input: JsonObject;
  readonly body: JsonObject;
  readonly watch: Watch;
};

const MAX_TEXT_BYTES = 2 * 1024 * 1024;
const MAX_RAW_LENGTH = 1000;
/** JSON nested deeper is ignored. */
const MAX_DEPTH = 64;
/** Warning codes of a page that is not the requested one, with the error code of the failed run. */
const WRONG_PAGE_CODES: Readonly<Record<string, ErrorCode>> = {
  auth_required: 'target_blocked',
  geo_or_legal: 'target_blocked',
  // With a status below 400 it means that the page is empty.
  target_error: 'unusable_response',
};
/** Statuses with which a target refuses a visit. */
const REFUSAL_STATUSES: ReadonlySet<number> = new Set([401, 402, 403, 407, 451]);

const WarningCodes = z.object({ warnings: z.array(z.object({ code: z.string() })) });

/**
 * Reads the watched values from the answer of a run. Throws for an error page, an empty page, and a login or consent
 * page, because their missing values are no change.
 */
export function observe({ operation, input, body, watch }: RunAnswer, shapes: FieldShapes): RunObservation {
  if (operation.id === FETCH_ID) assertRightPage(body);
  const content = getWatchedContent(watch);
  const seen =
    content === null
      ? observeFields(body, shapes, isExtract(operation, input) ? 'extract' : 'record')
      : observeContent(body, content, buildTextCleaner(watch.ignore_patterns));
  return operation.id === FETCH_ID ? { ...seen, pageKinds: listPageKinds(body) } : seen;
}

function assertRightPage(body: JsonObject): void {
  const { status_code: status } = body;
  if (typeof status === 'number' && status >= 400) {
    const message = `the page answered ${status}, so it was not compared`;
    throw new ServiceError(toErrorPageCode(status), message, { retryable: isTransientStatus(status) });
  }
  const wrong = WarningCodes.safeParse(body).data?.warnings.find(({ code }) => Object.hasOwn(WRONG_PAGE_CODES, code));
  const code = wrong === undefined ? undefined : WRONG_PAGE_CODES[wrong.code];
  if (wrong === undefined || code === undefined) return;
  const what = code === 'unusable_response' ? 'is empty' : `is not the requested one (${wrong.code})`;
  throw new ServiceError(code, `the page ${what}`);
}

/** The error code of a run whose page has a status of 400 or above. */
function toErrorPageCode(status: number): ErrorCode {
  if (status === 404 || status === 410) return 'not_found';
  if (status === 429) return 'target_rate_limited';
  if (REFUSAL_STATUSES.has(status)) return 'target_blocked';
  return status >= 500 ? 'target_unreachable' : 'unusable_response';
}

/** Reads fields from an answer: from the extracted object of a fetch with `extract`, else from the record. */
export function observeFields(body: JsonObject, shapes: FieldShapes, source: FieldMeta['source']): RunObservation {
  const record = source === 'extract' ? getMember(body, 'json') : body;
  const unread = source === 'extract' ? getMember(body, 'json_unread') : undefined;
  const values: Record<string, unknown> = {};
  const meta: Record<string, FieldMeta> = {};
  for (const [name, shape] of shapes) {
    const raw = getMemberAt(record, name);
    const value = source === 'extract' ? emptyListsToNull(shape, raw) : raw;
    const unreadText = getMember(unread, name);
    const written = isMissing(value) && unreadText !== undefined ? unreadText : value;
    const compared = written === value ? readValue(shape, limitDepth(value)) : undefined;
    setMember(values, name, compared?.value ?? null);
    setMember(meta, name, {
      source,
      ...(compared === undefined ? { raw: formatRawValue(written) } : {}),
      ...(compared?.currency === undefined ? {} : { currency: compared.currency }),
      ...(compared?.value === null ? { missing: true as const } : {}),
    });
  }
  return { values, field_meta: meta, content: null };
}

/** Reads the watched content from the answer of a fetch with the input of `buildContentFetch`. */
export function observeContent(body: JsonObject, { of }: WatchContent, clean: TextCleaner): RunObservation {
  const written = getMember(body, of === 'selector' ? 'text' : of);
  const shown = typeof written === 'string' ? written : '';
  const text = normalizeLines(formatJsonLines(shown) ?? shown, clean);
  if (text === '') return { values: {}, field_meta: {}, content: { hash: null, text: null } };
  const limitedText = Buffer.byteLength(text) > MAX_TEXT_BYTES ? null : text;
  return { values: {}, field_meta: {}, content: { hash: computeDigest(text), text: limitedText } };
}

/** Builds the fetch parameters that select the watched content. */
export function buildContentFetch({ of, selector, ignore_selectors: ignored }: WatchContent): {
  readonly output: readonly string[];
  readonly include_selectors: readonly string[];
  readonly exclude_selectors: readonly string[];
} {
  return {
    output: [of === 'selector' ? 'text' : of],
    include_selectors: selector === undefined ? [] : [selector],
    exclude_selectors: ignored,
  };
}

/** Replaces empty lists of an `extract` by null: nothing was found for them. */
function emptyListsToNull(shape: FieldShape, value: unknown): unknown {
  if (!Array.isArray(value) || (shape.kind !== 'list' && shape.kind !== 'rows')) return value;
  if (value.length === 0) return null;
  if (shape.kind === 'list') return value;
  const lists = [...shape.members].filter(([, { kind }]) => kind === 'list' || kind === 'rows');
  return lists.length === 0 ? value : value.map((row: unknown) => emptyMembersToNull(row, lists));
}

function emptyMembersToNull(row: unknown, lists: readonly (readonly [string, FieldShape])[]): unknown {
  if (!isJsonObject(row)) return row;
  const copy: Record<string, unknown> = { ...row };
  for (const [name, shape] of lists) setMemberAt(copy, name, emptyListsToNull(shape, getMemberAt(row, name) ?? null));
  return copy;
}

function isMissing(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

function formatRawValue(value: unknown): string {
  const cut = truncateValue(limitDepth(value), MAX_RAW_LENGTH);
  return typeof cut === 'string' ? cut : JSON.stringify(cut);
}

/** Replaces parts of JSON that are nested too deep. */
function limitDepth(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '…';
  if (Array.isArray(value)) return value.map((item) => limitDepth(item, depth + 1));
  const shallow: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(isJsonObject(value) ? value : {})) {
    setMember(shallow, name, limitDepth(member, depth + 1));
  }
  return shallow;
}

/** Warning codes of pages that do not show their real content. */
const PAGE_KINDS = ['login_page', 'login_form', 'refusal_page'] as const;

type PageKind = (typeof PAGE_KINDS)[number];

const PageWarnings = z.object({ warnings: z.array(z.object({ code: z.string(), message: z.string() })) });

/** Lists the page kinds that the answer of a fetch warns about, with the warning messages. */
function listPageKinds(body: JsonObject): readonly { readonly kind: PageKind; readonly message: string }[] {
  const warnings = PageWarnings.safeParse(body).data?.warnings ?? [];
  return PAGE_KINDS.flatMap((kind) => {
    const warning = warnings.find(({ code }) => code === kind);
    return warning === undefined ? [] : [{ kind, message: warning.message }];
  });
}

/** Share of the lines of a watched text that another page may have by chance. */
const MAX_SHARED_LINES = 0.2;

/**
 * Throws if a page is a login form or a refusal, and earlier runs saw a different page. A monitor whose first run saw
 * such a page watches it. A login form in a short page counts only if all values seen before are gone. The same applies
 * to every kind of page if earlier runs did not record the kind.
 */
export function assertSamePage(known: Baseline | null, seen: RunObservation): void {
  const pageKinds = seen.pageKinds ?? [];
  if (known === null || pageKinds.length === 0) return;
  const before = known.page_kinds;
  const wasLogin = before?.some(isLoginKind) === true;
  for (const { kind, message } of pageKinds) {
    if (isLoginKind(kind) ? wasLogin : before?.includes(kind) === true) continue;
    const isCertain = before !== undefined && kind !== 'login_form';
    if (!isCertain && !hasVanished(known, seen)) continue;
    const code = isLoginKind(kind) ? 'target_blocked' : 'unusable_response';
    throw new ServiceError(code, `${message}; earlier runs saw another page, so it was not compared`);
  }
}

function isLoginKind(kind: string): boolean {
  return kind === 'login_page' || kind === 'login_form';
}

/** Whether nothing that earlier runs saw is still there. */
function hasVanished(known: Baseline, { values, content }: RunObservation): boolean {
  if (content !== null)
    return known.content !== null && computeSharedLines(known.content.text, content.text) < MAX_SHARED_LINES;
  const present = Object.entries(known.fields).filter(([, field]) => isPresent(field.held));
  return present.length > 0 && present.every(([name]) => (values[name] ?? null) === null);
}

/** Computes the share of the lines of one text that another has; 0 if one of them was too long to be stored. */
function computeSharedLines(before: string | null, after: string | null): number {
  if (before === null || after === null) return 0;
  const now = new Set(after.split('\n'));
  const lines = before.split('\n');
  return lines.filter((line) => now.has(line)).length / lines.length;
}
