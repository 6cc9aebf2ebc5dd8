import { isRedirect } from '#access/http/response-head.ts';
import { strayRedirect, tooManyRedirects } from '#access/failure.ts';
import type { VisitLimits } from '#access/limits.ts';
import type { PageRequest } from '#access/page.ts';
import { redirectWarnings } from '#access/http/redirect-warnings.ts';
import type { Warning } from '#kernel/warnings.ts';
import type { Exit } from './exit.ts';
import { unfreeze } from './freeze.ts';
import {
  type FullResponse,
  intercept,
  type RequestDecision,
  type RequestHead,
  type ResponseHead,
} from './interception.ts';
import type { Tab } from './tab.ts';

export type DocumentOptions = {
  readonly request: PageRequest;
  readonly limits: VisitLimits;
  readonly exit: Exit;
  /** Kinds of resources that are not loaded. */
  readonly without: readonly string[];
};

/** Content types that a browser renders; it sniffs a document without a type. */
const RENDERED = /^(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i;

/** Answers that have no body (RFC 9110 section 15). */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Follows the main document of a visit: notes its status and headers, bounds redirects and asks whether they are
 * followed, sends the caller's headers and cookies to their own origin only, starts from the answer to a
 * cheaper tier, and takes a document other than HTML as bytes.
 */
export async function watchDocument(tab: Tab, options: DocumentOptions): Promise<MainDocument> {
  const { request, limits, exit, without } = options;
  const main = new MainDocument(tab, options);
  await intercept(tab, {
    exit,
    without,
    isGiven: request.arrived !== undefined,
    mostBytes: limits.decodedBytes,
    onRequest: async (asking) => main.onRequest(asking),
    onAnswer: async (answer, read) => main.onAnswer(answer, read),
  });
  if (request.cookies.length > 0) await giveCookies(tab, request);
  return main;
}

/** The main document of a visit, from its first request to the last answer. */
export class MainDocument {
  readonly #tab: Tab;
  readonly #request: PageRequest;
  readonly #limits: VisitLimits;
  readonly #warnings: Warning[];
  readonly #hosts = new Set<string>();
  #isBegun = false;
  #head: ResponseHead | null = null;
  #taken: FullResponse | null = null;
  #asked: URL | null = null;
  #isAnswered = false;
  /** Redirects since the last document. */
  #hops = 0;
  #sent: RequestHead['headers'] = {};

  constructor(tab: Tab, { request, limits }: DocumentOptions) {
    this.#tab = tab;
    this.#request = request;
    this.#limits = limits;
    this.#warnings = [...(request.arrived?.warnings ?? [])];
  }

  /** The last answer to it, redirects aside; null before the first. */
  head(): ResponseHead | null {
    return this.#head;
  }

  /** The document as bytes, where a browser would show it by a viewer, save it, or go on to where it may not; else null. */
  taken(): FullResponse | null {
    return this.#taken;
  }

  /** The last address that was asked for it, redirects included. */
  asked(): URL | null {
    return this.#asked;
  }

  /** The hosts that were asked for it. */
  hosts(): ReadonlySet<string> {
    return this.#hosts;
  }

  /** That address where nothing has answered for it yet. */
  unanswered(): URL | null {
    return this.#isAnswered ? null : this.#asked;
  }

  /** The headers of the last request for it. */
  sent(): RequestHead['headers'] {
    return this.#sent;
  }

  warnings(): readonly Warning[] {
    return this.#warnings;
  }

  /** Lets requests leave: those before it are of the page that the context showed last, and are stopped. */
  begin(): void {
    this.#isBegun = true;
  }

  /** Decides on a request for the document. */
  async onRequest({ url, headers }: RequestHead): Promise<RequestDecision> {
    if (!this.#isBegun) return { kind: 'stop' };
    const to = new URL(url);
    this.#sent = headers;
    this.#hosts.add(to.hostname);
    const { arrived, follows, url: first, headers: own } = this.#request;
    if (this.#asked === null && arrived !== undefined) {
      [this.#asked, this.#isAnswered] = [to, true];
      this.#head = { url: arrived.url, status: arrived.status, headers: arrived.headers };
      await unfreeze(this.#tab);
      return { kind: 'answer', answer: arrived };
    }
    // A navigation by a script is asked for as a redirect is; redirects were asked for when they came.
    const isScripted = this.#asked !== null && this.#hops === 0;
    if (isScripted && (await follows?.(to, this.#tab.signal)) === false) return { kind: 'stop' };
    [this.#asked, this.#isAnswered] = [to, false];
    if (to.origin === first.origin) {
      const all = withOwn(headers, own);
      return all === headers ? { kind: 'go' } : { kind: 'go', headers: all };
    }
    await forgetCookies(this.#tab, this.#request);
    return { kind: 'go' };
  }

  /** Decides on an answer to a request for the document; `read` takes its body. */
  async onAnswer(answer: ResponseHead, read: () => Promise<FullResponse['body']>): Promise<'go' | 'stop'> {
    this.#isAnswered = true;
    const { location } = answer.headers;
    if (isRedirect(answer.status) && location !== undefined) return this.#onRedirect(answer, location);
    this.#hops = 0;
    if (this.#head !== null && isAttached(answer)) return 'stop';
    this.#head = answer;
    if (isRendered(answer)) {
      await unfreeze(this.#tab);
      return 'go';
    }
    this.#taken = { ...answer, body: BODILESS.has(answer.status) ? new Uint8Array() : await read() };
    return 'stop';
  }

  async #onRedirect(answer: ResponseHead, location: string): Promise<'go' | 'stop'> {
    this.#hops += 1;
    if (this.#hops > this.#limits.redirects) throw tooManyRedirects(this.#limits);
    const to = URL.parse(location, answer.url);
    // Chromium itself reports what is wrong with a malformed address.
    if (to === null) return 'go';
    if (!/^https?:$/.test(to.protocol)) throw strayRedirect();
    if ((await this.#request.follows?.(to, this.#tab.signal)) === false) {
      this.#taken = { ...answer, url: to.href, body: new Uint8Array() };
      return 'stop';
    }
    this.#warnings.push(...redirectWarnings(new URL(answer.url), to));
    return 'go';
  }
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

/** Whether a browser would save the answer as a file: the page itself, or a download that a page starts. */
function isAttached({ headers }: Pick<ResponseHead, 'headers'>): boolean {
  return /^\s*attachment\b/i.test(headers['content-disposition'] ?? '');
}
