import type { Warning } from '#kernel/warnings.ts';

/** The warnings of a redirect that was followed. */
export function redirectWarnings(from: URL, to: URL): readonly Warning[] {
  return from.protocol === 'https:' && to.protocol === 'http:' ? [DOWNGRADED] : [];
}

const DOWNGRADED: Warning = { code: 'tls_downgrade', message: 'a redirect led from https to http' };
