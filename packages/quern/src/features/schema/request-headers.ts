import { z } from 'zod';
import { nameSchema } from '#extract/schema/names.ts';

const NAME_PATTERN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/;
const VALUE_PATTERN = /^[\t\x20-\x7e\x80-\xff]*$/;

export type HeaderRules = {
  readonly most: number;
  readonly valueChars: number;
  /** Returns why a header (lower-case name) cannot be set; null if it can. */
  readonly refuse: (name: string) => string | null;
};

/**
 * Builds the schema of a parameter with HTTP headers by name (RFC 9110, section 5). Names are converted to lower case.
 */
export function buildHeadersSchema(rules: HeaderRules) {
  return z
    .record(z.string(), z.string())
    .superRefine((headers, context) => {
      const names = Object.keys(headers);
      if (names.length > rules.most) context.addIssue({ code: 'custom', message: `at most ${rules.most} headers` });
      const seen = new Set<string>();
      for (const name of names) {
        const problem = checkHeader([name, headers[name] ?? ''], rules, seen);
        if (problem !== null) context.addIssue({ code: 'custom', message: problem, path: [name.slice(0, 100)] });
        seen.add(name.toLowerCase());
      }
    })
    .transform((headers) =>
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    );
}

function checkHeader(
  [name, value]: readonly [string, string],
  { refuse, valueChars }: HeaderRules,
  seen: ReadonlySet<string>,
): string | null {
  const lower = name.toLowerCase();
  if (!NAME_PATTERN.test(name)) return 'is not a header name';
  const refusal = refuse(lower);
  if (refusal !== null) return refusal;
  if (!VALUE_PATTERN.test(value)) return 'holds characters that are not allowed in a header value';
  if (value.length > valueChars) return `is longer than ${valueChars} characters`;
  return seen.has(lower) ? 'is set twice' : null;
}

/** Headers that belong to the connection or are set elsewhere. Setting them could break the request. */
const REFUSED_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'cookie',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'quern-depth',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const COOKIE_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,200}$/;
const COOKIE_VALUE = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]{0,4096}$/;

/** Request headers of the caller, with lower-case names. */
export const RequestHeaders = buildHeadersSchema({ most: 40, valueChars: 8192, refuse: checkHeaderName });

/** Cookies of the caller, only sent to the origin of `url`. */
export const RequestCookies = z
  .array(
    nameSchema(
      'RequestCookie',
      z.strictObject({
        name: z.string().regex(COOKIE_NAME, 'is not a cookie name'),
        value: z.string().regex(COOKIE_VALUE, 'has characters that are not allowed in a cookie value'),
      }),
    ),
  )
  .max(50);

function checkHeaderName(name: string): string | null {
  if (name === 'cookie') return 'use the parameter cookies to send cookies';
  const isOfConnection = REFUSED_HEADERS.has(name) || name.startsWith('proxy-');
  return isOfConnection ? 'cannot be set, because it belongs to the connection' : null;
}
