/** What a recording must not keep: who asked, from where and with what, and how to reach the people on the page. */
const RULES: readonly (readonly [RegExp, string])[] = [
  // Mail addresses, also where JSON or HTML escapes the sign.
  [/[\w.+-]{1,64}(?:@|&#64;|&#x40;|\\u0040|%40)[\w-]{1,63}(?:\.[\w-]{2,63}){1,4}/gi, 'someone@mail.example'],
  // Tokens under names that say so, in JSON, attributes and queries.
  [
    /((?:access_?token|refresh_?token|id_?token|csrf_?token|csrf|xsrf|session_?id|sessionid|api_?key|client_?secret|nonce|visitor_?data|viewer_?id|user_?ip|client_?ip|remote_?addr)["']?\s*[:=]\s*["']?)[\w.~+/=%-]{6,4096}/gi,
    '$1scrubbed',
  ],
  [/\bBearer\s+[\w.~+/=-]{8,4096}/g, 'Bearer scrubbed'],
  [/\beyJ[\w-]{8,4096}\.[\w-]{8,8192}\.[\w-]{8,4096}/g, 'scrubbed'],
  [/\b(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}\b(?!\.\d)/g, '192.0.2.1'],
];

/** Headers that a case keeps: what a site's own word may hang on. */
const KEPT_HEADERS: ReadonlySet<string> = new Set([
  'date',
  'link',
  'location',
  'retry-after',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
]);

/** A body without mail addresses, tokens, network addresses and ids of the visitor. */
export function scrub(text: string): string {
  return RULES.reduce((kept, [rule, instead]) => kept.replaceAll(rule, instead), text);
}

/** The headers that a recording keeps, scrubbed. */
export function scrubHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => KEPT_HEADERS.has(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, scrub(value)]));
}
