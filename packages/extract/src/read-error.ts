/** Why a page cannot be read: too large, of an unsupported type, or without a required value. */
export type ReadErrorCode = 'content_too_large' | 'unsupported_content' | 'extraction_failed';

/** A page cannot be read. The message is a sentence for the caller. */
export class ReadError extends Error {
  readonly code: ReadErrorCode;

  constructor(code: ReadErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ReadError';
    this.code = code;
  }
}
