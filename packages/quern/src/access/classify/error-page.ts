import type { Page } from '#access/page.ts';

/** Longer answers say something. */
const MAX_EMPTY_BYTES = 1024;
/** White space, or the HTML of a browser for an answer without a body. */
const EMPTY_BODY = /^[\s\ufeff]*(?:<html><head><\/head><body><\/body><\/html>)?[\s\ufeff]*$/;

type Answer = Pick<Page, 'status' | 'body'>;

/** Whether an answer came without a body. */
export function isEmpty({ body }: Pick<Page, 'body'>): boolean {
  return (
    body.byteLength === 0 || (body.byteLength <= MAX_EMPTY_BYTES && EMPTY_BODY.test(Buffer.from(body).toString('utf8')))
  );
}

/** Whether the target answered with an error or an empty page, which is delivered free of charge. */
export function isErrorPage(page: Answer): boolean {
  return page.status >= 400 || isEmpty(page);
}
