import type { Attempt } from '#access/page.ts';
import type { RequestEntry } from '#engine/call/request-log.ts';
import type { UnpaidCall } from '#engine/call/unpaid-work.ts';
import type { Usage } from '#engine/credits/prices.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { type Clock, toTimestamp } from '#kernel/clock.ts';
import type { ServiceError } from '#kernel/errors.ts';
import { addTokens, type Tokens } from '#llm/complete.ts';
import type { WorkOrder } from './order.ts';

type CallEnd = { readonly error: ServiceError | null; readonly usage: Usage | null };

/** Collects what a running call did, for the request log and its charge. */
export type Trace = {
  readonly attempts: Attempt[];
  readonly countTokens: (tokens: Tokens) => void;
  /** Adds CPU time of parser threads, ms. */
  readonly countReadMs: (ms: number) => void;
  /** The resources that the call used so far. */
  readonly getUnpaidCall: () => UnpaidCall;
  /** The usage that is charged even if the call fails; null if none. */
  readonly getCommittedCharge: () => Usage | null;
  readonly commitCharge: (usage: Usage) => void;
  /** Builds the log entry of the ended call. */
  readonly toEntry: (end: CallEnd) => RequestEntry;
};

export function createTrace(
  { operation, raw, call }: Pick<WorkOrder, 'operation' | 'raw' | 'call'>,
  clock: Clock,
): Trace {
  const startedAt = toTimestamp(clock.now());
  const started = clock.monotonic();
  const attempts: Attempt[] = [];
  let tokens: Tokens = { input: 0, output: 0 };
  let readMs = 0;
  let owed: Usage | null = null;
  return {
    attempts,
    countTokens: (more) => void (tokens = addTokens(tokens, more)),
    countReadMs: (ms) => void (readMs += ms),
    getUnpaidCall: () => ({ attempts, readMs, tokens }),
    getCommittedCharge: () => owed,
    commitCharge: (usage) => void (owed = usage),
    toEntry: ({ error, usage }) => ({
      tenant: call.caller.tenant,
      id: call.requestId,
      at: startedAt,
      operation: operation.id,
      status: error?.status ?? 200,
      code: error?.code ?? null,
      credits: usage?.credits ?? 0,
      tier: usage?.tier ?? null,
      duration_ms: Math.round(clock.monotonic() - started),
      input_tokens: tokens.input,
      output_tokens: tokens.output,
      attempts,
      ...(error === null ? { url: null, message: null } : describeFailedCall(raw, error)),
    }),
  };
}

const MAX_URL_CHARS = 500;
const MAX_MESSAGE_CHARS = 1000;
/** Characters of a text that are processed; further ones would be truncated anyway. */
const MAX_READ_CHARS = 4000;
/** Control characters, which not every store accepts. */
const CONTROL_CHARS = /[\p{Cc}\p{Cs}]+/gu;
const URL_PATTERN = /\b[a-z][a-z\d+.-]*:\/\/[^\s"'<>`]+/gi;

/**
 * A failed call for the request log: the requested URL (null if there is none) and the error message, both without
 * secrets.
 */
type FailedCall = { readonly url: string | null; readonly message: string };

/** Describes a failed call. `raw` may be invalid. */
export function describeFailedCall(raw: unknown, { message }: ServiceError): FailedCall {
  const given = isJsonObject(raw) && typeof raw['url'] === 'string' ? truncateUrl(raw['url']) : '';
  const url = given === '' ? null : maskSecrets(given);
  // The message may quote the URL as it was sent, without a scheme.
  const quoted = url === null || url === given ? toSingleLine(message) : toSingleLine(message).replaceAll(given, url);
  return {
    url: url === null ? null : truncate(url, MAX_URL_CHARS),
    message: truncate(quoted.replaceAll(URL_PATTERN, maskSecrets), MAX_MESSAGE_CHARS),
  };
}

/** Truncates a URL and replaces a value that was cut in two. */
function truncateUrl(text: string): string {
  const url = toSingleLine(text);
  return text.length > MAX_READ_CHARS ? url.replace(/([?&#;][^?&#;=]*)(?:=[^?&#;]*)?$/, '$1=…') : url;
}

/** Converts the beginning of a text to one line. */
function toSingleLine(text: string): string {
  return text.slice(0, MAX_READ_CHARS).toWellFormed().replaceAll(CONTROL_CHARS, ' ').trim();
}

function truncate(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`;
}

const MASK = '***';
/** How many levels of URLs within parameter values are masked. */
const MAX_URL_DEPTH = 3;

/** User and password before a host, with any number of slashes as browsers allow. */
const USER_INFO = /^([a-z][a-z\d+.-]*:)?([/\\]*)[^/\\?#]*@/i;
/** A parameter of a path, query or fragment: separator, name and optional value. In a path it ends at `?`. */
const PARAMETER = /([?&#;])([^=&#;?/]*)(?:=((?<=;[^=&#;?/]*=)[^&#;?]*|[^&#;]*))?/g;

/** Names of parameters whose values may be secret, matched in lower case with `_` between camel-case words. */
const SECRET_NAME = new RegExp(
  [
    'token|secret|passw|passphrase|pwd|credential|signature|session|jwt|bearer|hmac',
    '(?:^|[^a-z])(?:key|auth|authorization|sig|sign|sid|pass|otp|nonce|ticket|assertion)(?:$|[^a-z])',
    '(?:api|access|app|auth|client|license|private|secret|subscription|user)key$',
    'sessid$|^(?:code|state|hash|cfid)$',
  ].join('|'),
);

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;
/** Letters and digits of this length in a row are taken for a token. */
const MIN_TOKEN_CHARS = 16;

/** Masks possible secrets in a URL: credentials, and parameter values with a secret name or a random-looking value. */
function maskSecrets(url: string): string {
  return maskToDepth(url, MAX_URL_DEPTH);
}

function maskToDepth(url: string, depth: number): string {
  return url
    .replace(USER_INFO, (_, scheme: string | undefined, slashes: string) => `${scheme ?? ''}${slashes}${MASK}@`)
    .replaceAll(PARAMETER, (whole, mark: string, name: string, value: string | undefined) => {
      if (value === undefined) return isSecretValue(decodeComponent(name), depth) ? mark + MASK : whole;
      if (value === '') return whole;
      return isSecretName(decodeComponent(name)) || isSecretValue(decodeComponent(value), depth)
        ? `${mark}${name}=${MASK}`
        : whole;
    });
}

function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase());
}

/** Whether a value looks like a token, or is a URL or query with a secret in it. */
function isSecretValue(value: string, depth: number): boolean {
  if (isRandomLooking(value)) return true;
  if (!/[=@]/.test(value)) return false;
  return depth === 0 || maskToDepth(`?${value}`, depth - 1) !== `?${value}` || maskToDepth(value, depth - 1) !== value;
}

function isRandomLooking(value: string): boolean {
  const runs = value.split(/[^a-z\d]+/i);
  return UUID.test(value) || runs.some((run) => run.length >= MIN_TOKEN_CHARS && /\d/.test(run) && /[a-z]/i.test(run));
}

function decodeComponent(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
