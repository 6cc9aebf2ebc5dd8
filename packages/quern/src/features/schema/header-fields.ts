import { z } from 'zod';

const NAME_PATTERN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/;
const VALUE_PATTERN = /^[\t\x20-\x7e\x80-\xff]*$/;

export type HeaderRules = {
  readonly most: number;
  readonly valueChars: number;
  /** Why a header of that name, in lower case, cannot be set; null when it can. */
  readonly refuse: (name: string) => string | null;
};

/** A member that takes HTTP headers by name, each once (RFC 9110, section 5); names come out in lower case. */
export function toHeaderFields(rules: HeaderRules) {
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
  { refuse: refuse, valueChars: valueChars }: HeaderRules,
  seen: ReadonlySet<string>,
): string | null {
  const lower = name.toLowerCase();
  if (!NAME_PATTERN.test(name)) return 'is not a header name';
  const refusal = refuse(lower);
  if (refusal !== null) return refusal;
  if (!VALUE_PATTERN.test(value)) return 'holds characters that a header value cannot hold';
  if (value.length > valueChars) return `is longer than ${valueChars} characters`;
  return seen.has(lower) ? 'is given twice' : null;
}

/** What belongs to the connection or is set otherwise, and would let a caller break the exchange. */
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

/** Request headers of the caller; names come out in lower case. */
export const RequestHeaders = toHeaderFields({ most: 40, valueChars: 8192, refuse: checkHeaderName });

/** Cookies of the caller, sent to the origin of `url` only. */
export const RequestCookies = z
  .array(
    z.strictObject({
      name: z.string().regex(COOKIE_NAME, 'is not a cookie name'),
      value: z.string().regex(COOKIE_VALUE, 'holds characters that a cookie value cannot hold'),
    }),
  )
  .max(50);

function checkHeaderName(name: string): string | null {
  if (name === 'cookie') return 'send cookies in the member cookies';
  const isOfConnection = REFUSED_HEADERS.has(name) || name.startsWith('proxy-');
  return isOfConnection ? 'this header belongs to the connection' : null;
}
