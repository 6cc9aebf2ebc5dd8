import type { HttpExchange } from './exchange.ts';

/** The headers that a browser page may read; CORS names them. */
export const EXPOSED_HEADERS = [
  'X-Request-Id',
  'X-Credits-Used',
  'X-Credits-Base',
  'X-Credits-Surcharge',
  'X-Credits-Remaining',
  'X-Access-Tier',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Location',
  'Idempotent-Replayed',
  'Deprecation',
  'Mcp-Session-Id',
] as const;

/**
 * The headers of one answer. The rate fields have the form of draft-ietf-httpapi-ratelimit-headers-11: structured
 * lists of one policy named `default`, with quota `q`, window `w`, remaining `r` and seconds to the next window `t`.
 */
export function toAnswerHeaders(requestId: string, exchange: HttpExchange): Readonly<Record<string, string>> {
  const { usage, remaining, rate, caller, retryAfterSeconds } = exchange;
  return {
    'x-request-id': requestId,
    'x-credits-used': String(usage?.credits ?? 0),
    'x-credits-base': String(usage?.base ?? 0),
    'x-credits-surcharge': String(usage?.surcharge ?? 0),
    'x-content-type-options': 'nosniff',
    ...(usage === null ? {} : { 'x-access-tier': usage.tier }),
    ...(remaining === null ? {} : { 'x-credits-remaining': String(remaining) }),
    ...(caller === null ? {} : { 'cache-control': 'no-store' }),
    ...(exchange.deprecated.length === 0 ? {} : { deprecation: 'true' }),
    ...(retryAfterSeconds === null ? {} : { 'retry-after': String(retryAfterSeconds) }),
    ...(rate === null
      ? {}
      : {
          'ratelimit-policy': `"default";q=${rate.limit};w=60`,
          ratelimit: `"default";r=${Math.max(0, rate.remaining)};t=${rate.resetSeconds}`,
        }),
    ...(exchange.code === 'missing_api_key' || exchange.code === 'invalid_api_key'
      ? { 'www-authenticate': 'Bearer' }
      : {}),
    ...exchange.headers,
  };
}
