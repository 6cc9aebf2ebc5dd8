/** Thrown for a parameter that is invalid for its site, or that refers to something that cannot exist there. */
export class SiteError extends Error {
  readonly code: 'invalid_request' | 'not_found';

  constructor(code: SiteError['code'], message: string) {
    super(message);
    this.name = 'SiteError';
    this.code = code;
  }
}
