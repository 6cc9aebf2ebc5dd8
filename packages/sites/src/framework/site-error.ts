/** A parameter that does not fit its site, or names nothing there. */
export class SiteError extends Error {
  readonly code: 'invalid_request' | 'not_found';

  constructor(code: SiteError['code'], message: string) {
    super(message);
    this.name = 'SiteError';
    this.code = code;
  }
}
