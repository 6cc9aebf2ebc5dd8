import { READ_WARNING_CODES } from '#extract/warnings.ts';

/** The codes of warnings in responses; the message has the details. */
export const WARNING_CODES = [
  ...READ_WARNING_CODES,
  'auth_required',
  'deprecated',
  'geo_or_legal',
  'input_adjusted',
  'hash_routes',
  'links_not_followed',
  'loop',
  'model_refused',
  'partial',
  'partial_ladder',
  'pattern_unmatched',
  'redirected_home',
  'scope_left',
  'target_error',
  'tier_unavailable',
  'time_limited',
  'tls_downgrade',
] as const;

export type WarningCode = (typeof WARNING_CODES)[number];

export type Warning = { readonly code: WarningCode; readonly message: string };

/** The warnings of `more` whose code does not occur in `first`. */
export function listNewWarnings(first: readonly Warning[], more: readonly Warning[]): readonly Warning[] {
  return more.filter(({ code }) => !first.some((said) => said.code === code));
}
