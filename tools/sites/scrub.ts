/** Patterns that are removed from recordings: mail addresses, tokens, ids of the visitor and network addresses. */
const RULES: readonly (readonly [RegExp, string])[] = [
  // Mail addresses, including those with an escaped @ sign.
  [/[\w.+-]{1,64}(?:@|&#64;|&#x40;|\\u0040|%40)[\w-]{1,63}(?:\.[\w-]{2,63}){1,4}/gi, 'someone@mail.example'],
  // Values of members, attributes and query parameters that are named like tokens.
  [
    /((?:access_?token|refresh_?token|id_?token|csrf_?token|csrf|xsrf|session_?id|sessionid|api_?key|client_?secret|nonce|visitor_?data|viewer_?id|user_?ip|client_?ip|remote_?addr)["']?\s*[:=]\s*["']?)[\w.~+/=%-]{6,4096}/gi,
    '$1scrubbed',
  ],
  [/\bBearer\s+[\w.~+/=-]{8,4096}/g, 'Bearer scrubbed'],
  [/\beyJ[\w-]{8,4096}\.[\w-]{8,8192}\.[\w-]{8,4096}/g, 'scrubbed'],
  [/\b(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}\b(?!\.\d)/g, '192.0.2.1'],
];

/** Headers that a case includes, because `classify` of a site may depend on them. */
const RECORDED_HEADERS: ReadonlySet<string> = new Set([
  'date',
  'link',
  'location',
  'retry-after',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
]);

/** Removes mail addresses, tokens, network addresses and ids of the visitor from a text. */
export function scrub(text: string): string {
  return RULES.reduce((scrubbed, [pattern, replacement]) => scrubbed.replaceAll(pattern, replacement), text);
}

/** Selects and scrubs the headers of a recording. */
export function scrubHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const recorded = Object.entries(headers).filter(([name]) => RECORDED_HEADERS.has(name));
  return Object.fromEntries(recorded.map(([name, value]) => [name, scrub(value)]));
}
