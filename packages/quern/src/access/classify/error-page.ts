import type { Page } from '#access/page.ts';

/** Longer bodies are not empty. */
const MAX_EMPTY_BYTES = 1024;
/** White space, or the HTML that a browser shows for a response without a body. */
const EMPTY_BODY = /^[\s\ufeff]*(?:<html><head><\/head><body><\/body><\/html>)?[\s\ufeff]*$/;

type Answer = Pick<Page, 'status' | 'body'>;

/** Whether the body is empty or only white space. */
export function isEmptyPage({ body }: Pick<Page, 'body'>): boolean {
  return (
    body.byteLength === 0 || (body.byteLength <= MAX_EMPTY_BYTES && EMPTY_BODY.test(Buffer.from(body).toString('utf8')))
  );
}

/** Whether the page is an error or empty; such pages are free of charge. */
export function isErrorPage(page: Answer): boolean {
  return page.status >= 400 || isEmptyPage(page);
}
