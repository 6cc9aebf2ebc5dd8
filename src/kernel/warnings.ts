/** What an answer may warn of; the message says the particulars. */
export const WARNING_CODES = [
  'auth_required',
  'charset_guessed',
  'deprecated',
  'geo_or_legal',
  'model_not_configured',
  'redirected_home',
  'scope_left',
  'selectors_ignored',
  'target_error',
  'thin_content',
  'tls_downgrade',
  'truncated',
] as const;

export type WarningCode = (typeof WARNING_CODES)[number];

export type Warning = { readonly code: WarningCode; readonly message: string };
