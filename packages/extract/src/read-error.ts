/** Why a page cannot be read: too large, of a type that nothing here reads, or without what a schema requires. */
export type ReadErrorCode = 'content_too_large' | 'unsupported_content' | 'extraction_failed';

/** A page that cannot be read; the message is a sentence for whoever asked for it. */
export class ReadError extends Error {
  readonly code: ReadErrorCode;

  constructor(code: ReadErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ReadError';
    this.code = code;
  }
}
