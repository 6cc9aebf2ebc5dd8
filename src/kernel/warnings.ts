/** The codes of warnings in answers; the message gives the particulars. */
export const WARNING_CODES = [
  'auth_required',
  'charset_guessed',
  'content_reduced',
  'deprecated',
  'fields_not_found',
  'frames_left_out',
  'geo_or_legal',
  'input_adjusted',
  'hash_routes',
  'left_out',
  'links_not_followed',
  'login_form',
  'login_page',
  'loop',
  'model_not_configured',
  'model_refused',
  'partial',
  'partial_ladder',
  'pattern_unmatched',
  'redirected_home',
  'refusal_page',
  'scope_left',
  'selectors_ignored',
  'sources_disagree',
  'target_error',
  'thin_content',
  'tier_unavailable',
  'time_limited',
  'tls_downgrade',
  'truncated',
] as const;

export type WarningCode = (typeof WARNING_CODES)[number];

export type Warning = { readonly code: WarningCode; readonly message: string };

/** Names that a warning lists. */
const MAX_NAMES = 10;

/** The first of some names, and how many more there are: `a, b and 3 more`. */
export function toNameList(names: readonly string[]): string {
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
  return `${names.slice(0, MAX_NAMES).join(', ')}${more}`;
}

/** The warnings of `more` whose codes are not in `first`. */
export function withoutRepeats(first: readonly Warning[], more: readonly Warning[]): readonly Warning[] {
  return more.filter(({ code }) => !first.some((said) => said.code === code));
}
