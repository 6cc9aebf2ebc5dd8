import { z } from 'zod';

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

const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]{0,8192}$/;
const COOKIE_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,200}$/;
const COOKIE_VALUE = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]{0,4096}$/;

/** Request headers of the caller; names come out in lower case. */
export const RequestHeaders = z
  .record(z.string(), z.string())
  .superRefine((headers, context) => {
    const names = Object.keys(headers);
    if (names.length > 40) context.addIssue({ code: 'custom', message: 'at most 40 headers' });
    const seen = new Set<string>();
    for (const name of names) {
      const problem = problemOf(name, headers[name] ?? '', seen);
      if (problem !== null) context.addIssue({ code: 'custom', message: problem, path: [name.slice(0, 100)] });
      seen.add(name.toLowerCase());
    }
  })
  .transform((headers) =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  );

/** Cookies of the caller, sent to the origin of `url` only. */
export const RequestCookies = z
  .array(
    z.strictObject({
      name: z.string().regex(COOKIE_NAME, 'is not a cookie name'),
      value: z.string().regex(COOKIE_VALUE, 'holds characters that a cookie value cannot hold'),
    }),
  )
  .max(50);

function problemOf(name: string, value: string, seen: ReadonlySet<string>): string | null {
  const lower = name.toLowerCase();
  if (!HEADER_NAME.test(name)) return 'is not a header name';
  if (lower === 'cookie') return 'send cookies in the member cookies';
  if (REFUSED_HEADERS.has(lower) || lower.startsWith('proxy-')) return 'this header belongs to the connection';
  if (!HEADER_VALUE.test(value)) return 'holds characters that a header value cannot hold';
  return seen.has(lower) ? 'is given twice' : null;
}
