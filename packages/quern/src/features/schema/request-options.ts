import { z } from 'zod';
import { toHeaderFields } from './header-fields.ts';

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
export const RequestHeaders = toHeaderFields({ most: 40, valueChars: 8192, refuse: refusalOf });

/** Cookies of the caller, sent to the origin of `url` only. */
export const RequestCookies = z
  .array(
    z.strictObject({
      name: z.string().regex(COOKIE_NAME, 'is not a cookie name'),
      value: z.string().regex(COOKIE_VALUE, 'holds characters that a cookie value cannot hold'),
    }),
  )
  .max(50);

function refusalOf(name: string): string | null {
  if (name === 'cookie') return 'send cookies in the member cookies';
  const isOfConnection = REFUSED_HEADERS.has(name) || name.startsWith('proxy-');
  return isOfConnection ? 'this header belongs to the connection' : null;
}
