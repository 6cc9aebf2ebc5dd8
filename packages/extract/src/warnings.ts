/** Codes of warnings about reading a page. The message has the details. */
export const READ_WARNING_CODES = [
  'charset_guessed',
  'content_reduced',
  'fields_not_found',
  'frames_left_out',
  'left_out',
  'login_form',
  'login_page',
  'model_not_configured',
  'refusal_page',
  'selectors_ignored',
  'sources_disagree',
  'thin_content',
  'truncated',
] as const;

/** A warning for the caller: a code and a sentence. */
export type ReadWarning = { readonly code: (typeof READ_WARNING_CODES)[number]; readonly message: string };

/** Maximum names that a warning lists. */
const MAX_NAMES = 10;

/** The first names, and the number of further ones: `a, b and 3 more`. */
export function formatNameList(names: readonly string[]): string {
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
  return `${names.slice(0, MAX_NAMES).join(', ')}${more}`;
}

/** Why a page cannot be read: too large, of an unsupported type, or without a required value. */
type ReadErrorCode = 'content_too_large' | 'unsupported_content' | 'extraction_failed';

/** A page cannot be read. The message is a sentence for the caller. */
export class ReadError extends Error {
  readonly code: ReadErrorCode;

  constructor(code: ReadErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ReadError';
    this.code = code;
  }
}
