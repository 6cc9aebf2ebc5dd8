import type { ServiceError } from '#kernel/errors.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { maskSecrets } from './masked-url.ts';

const MAX_URL_CHARS = 500;
const MAX_MESSAGE_CHARS = 1000;
/** Characters that are read of a text; more cannot be part of what is stored. */
const MAX_READ_CHARS = 4000;
/** Control characters, of which no store takes all, and no reader wants any. */
const CONTROLS = /[\p{Cc}\p{Cs}]+/gu;
const URLS = /\b[a-z][a-z\d+.-]*:\/\/[^\s"'<>`]+/gi;

/** A failed call for the log of requests: the URL that was asked for, null for none, and the message, without secrets. */
export type FailedCall = { readonly url: string | null; readonly message: string };

/** Describes a failed call by its input, which may be invalid, and its error. */
export function describeFailedCall(raw: unknown, { message }: ServiceError): FailedCall {
  const given = isJsonObject(raw) && typeof raw['url'] === 'string' ? toUrl(raw['url']) : '';
  const url = given === '' ? null : maskSecrets(given);
  // A message may quote a URL as it was given, also one without a scheme.
  const quoted = url === null || url === given ? toLine(message) : toLine(message).replaceAll(given, url);
  return {
    url: url === null ? null : cut(url, MAX_URL_CHARS),
    message: cut(quoted.replaceAll(URLS, maskSecrets), MAX_MESSAGE_CHARS),
  };
}

/** The beginning of a URL; where it is cut, without the value that was cut. */
function toUrl(text: string): string {
  const url = toLine(text);
  return text.length > MAX_READ_CHARS ? url.replace(/([?&#;][^?&#;=]*)(?:=[^?&#;]*)?$/, '$1=…') : url;
}

/** The beginning of a text as one line. */
function toLine(text: string): string {
  return text.slice(0, MAX_READ_CHARS).toWellFormed().replaceAll(CONTROLS, ' ').trim();
}

function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`;
}
