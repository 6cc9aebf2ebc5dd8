import { isRedirect } from '#access/http/exchange.ts';
import { strayRedirect, tooManyRedirects } from '#access/failure.ts';
import type { VisitLimits } from '#access/limits.ts';
import type { PageRequest } from '#access/page.ts';
import { redirectWarnings } from '#access/http/redirect-warnings.ts';
import type { Warning } from '#kernel/warnings.ts';
import type { Exit } from './exit.ts';
import { unfreeze } from './freeze.ts';
import { intercept } from './interception.ts';
import type { FullResponse, RequestHead, ResponseHead, RequestDecision } from './interception.ts';
import type { Tab } from './tab.ts';

/** What became of the main document. */
export type MainDocument = {
  /** The last answer to it, redirects aside; null before the first. */
  readonly head: () => ResponseHead | null;
  /** The document as it came, where a browser would show it by a viewer, save it, or go on to where it may not. */
  readonly taken: () => FullResponse | null;
  /** The last address that was asked for it, redirects included. */
  readonly asked: () => URL | null;
  /** That address where nothing has answered for it yet. */
  readonly unanswered: () => URL | null;
  /** The headers of the last request for it. */
  readonly sent: () => RequestHead['headers'];
  readonly warnings: () => readonly Warning[];
};

export type DocumentOptions = {
  readonly request: PageRequest;
  readonly limits: VisitLimits;
  readonly exit: Exit;
  /** Kinds of resources that are not loaded. */
  readonly without: readonly string[];
};

/** What a browser renders; a document without a type is sniffed by it. */
const RENDERED = /^(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i;

/** Answers that have no body (RFC 9110 section 15). */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Follows the main document: notes its status and headers, bounds redirects and asks whether they are followed, sends
 * the caller's headers and cookies to their own origin only, starts from what a cheaper tier has got, and takes what is
 * not HTML as bytes.
 */
export async function watchDocument(
  tab: Tab,
  { request, limits, exit, without }: DocumentOptions,
): Promise<MainDocument> {
  const warnings: Warning[] = [...(request.arrived?.warnings ?? [])];
  let head: ResponseHead | null = null;
  let taken: FullResponse | null = null;
  let asked: URL | null = null;
  let isAnswered = false;
  let hops = 0;
  let sent: RequestHead['headers'] = {};

  async function onRequest({ url, headers }: RequestHead): Promise<RequestDecision> {
    const to = new URL(url);
    sent = headers;
    const { arrived } = request;
    if (asked === null && arrived !== undefined) {
      [asked, isAnswered] = [to, true];
      head = { url: arrived.url, status: arrived.status, headers: arrived.headers };
      await unfreeze(tab);
      return { kind: 'answer', answer: arrived };
    }
    // A script that goes elsewhere is asked for as a redirect is; those have been asked for already.
    const goes = asked !== null && hops === 0;
    if (goes && (await request.follows?.(to, tab.signal)) === false) return { kind: 'stop' };
    [asked, isAnswered] = [to, false];
    if (to.origin === request.url.origin) {
      const own = withOwn(headers, request.headers);
      return own === headers ? { kind: 'go' } : { kind: 'go', headers: own };
    }
    await forgetCookies(tab, request);
    return { kind: 'go' };
  }

  async function onAnswer(answer: ResponseHead, read: () => Promise<FullResponse['body']>): Promise<'go' | 'stop'> {
    isAnswered = true;
    const { location } = answer.headers;
    if (isRedirect(answer.status) && location !== undefined) return onRedirect(answer, location);
    hops = 0;
    if (head !== null && isAttached(answer)) return 'stop';
    head = answer;
    if (isRendered(answer)) {
      await unfreeze(tab);
      return 'go';
    }
    taken = { ...answer, body: BODILESS.has(answer.status) ? new Uint8Array() : await read() };
    return 'stop';
  }

  async function onRedirect(answer: ResponseHead, location: string): Promise<'go' | 'stop'> {
    hops += 1;
    if (hops > limits.redirects) throw tooManyRedirects(limits);
    const to = URL.parse(location, answer.url);
    // Chromium says itself what is wrong with an address that is none.
    if (to === null) return 'go';
    if (!/^https?:$/.test(to.protocol)) throw strayRedirect();
    if ((await request.follows?.(to, tab.signal)) === false) {
      taken = { ...answer, url: to.href, body: new Uint8Array() };
      return 'stop';
    }
    warnings.push(...redirectWarnings(new URL(answer.url), to));
    return 'go';
  }

  await intercept(tab, {
    exit,
    without,
    isGiven: request.arrived !== undefined,
    mostBytes: limits.decodedBytes,
    onRequest,
    onAnswer,
  });
  if (request.cookies.length > 0) await giveCookies(tab, request);
  return {
    head: () => head,
    taken: () => taken,
    asked: () => asked,
    unanswered: () => (isAnswered ? null : asked),
    sent: () => sent,
    warnings: () => warnings,
  };
}

async function giveCookies(tab: Tab, { cookies, url }: PageRequest): Promise<void> {
  const given = cookies.map(({ name, value }) => ({ name, value, url: url.href, path: '/' }));
  await tab.sendToBrowser('Storage.setCookies', { cookies: given, browserContextId: tab.contextId });
}

/** Cookies know no ports: they must be gone before another origin of the same host is asked. */
async function forgetCookies(tab: Tab, { cookies, url }: PageRequest): Promise<void> {
  await Promise.all(cookies.map(async ({ name }) => tab.send('Network.deleteCookies', { name, url: url.href })));
}

/** All headers of a request with the caller's in the place of the browser's; the same ones where the caller has none. */
export function withOwn(sent: RequestHead['headers'], own: PageRequest['headers']): RequestHead['headers'] {
  const names = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  if (names.size === 0) return sent;
  const kept = Object.entries(sent).filter(([name]) => !names.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...own };
}

function isRendered({ status, headers }: ResponseHead): boolean {
  if (BODILESS.has(status) || isAttached({ headers })) return false;
  const type = headers['content-type'] ?? '';
  return type === '' || RENDERED.test(type);
}

/** What a browser would save: the page itself where it was asked for, a download where a page that is there starts it. */
function isAttached({ headers }: Pick<ResponseHead, 'headers'>): boolean {
  return /^\s*attachment\b/i.test(headers['content-disposition'] ?? '');
}
