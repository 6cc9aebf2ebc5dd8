import { isRedirect, listRedirectWarnings } from '#access/http/response-head.ts';
import { buildInvalidRedirect, buildTooManyRedirects } from '#access/failure.ts';
import type { VisitLimits } from '#access/limits.ts';
import type { PageRequest } from '#access/page.ts';
import type { Warning } from '#kernel/warnings.ts';
import type { EgressAccess } from './context.ts';
import { unfreezePage, type Tab } from './tab.ts';
import {
  type FullResponse,
  interceptRequests,
  type RequestDecision,
  type RequestHead,
  type ResponseHead,
} from './interception.ts';

export type DocumentOptions = {
  readonly request: PageRequest;
  readonly limits: VisitLimits;
  readonly egress: EgressAccess;
  /** Kinds of resources that are not loaded. */
  readonly blockedTypes: readonly string[];
};

/** Content types that a browser renders; it sniffs a document without a type. */
const RENDERED_TYPES = /^(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i;

/** Answers that have no body (RFC 9110 section 15). */
const BODILESS_STATUSES: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Follows the main document of a visit: notes its status and headers, bounds redirects and asks whether they are
 * followed, sends the caller's headers and cookies to their own origin only, starts from the answer to a
 * cheaper tier, and takes a document other than HTML as bytes.
 */
export async function watchDocument(tab: Tab, options: DocumentOptions): Promise<MainDocument> {
  const { request, limits, egress, blockedTypes } = options;
  const main = new MainDocument(tab, options);
  await interceptRequests(tab, {
    egress,
    blockedTypes,
    hasInitialPage: request.arrived !== undefined,
    mostBytes: limits.decodedBytes,
    onRequest: async (asking) => main.onRequest(asking),
    onAnswer: async (answer, read) => main.onAnswer(answer, read),
  });
  if (request.cookies.length > 0) await setCookies(tab, request);
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
  getHead(): ResponseHead | null {
    return this.#head;
  }

  /** The document as bytes, where a browser would show it by a viewer, save it, or go on to where it may not; else null. */
  getDownload(): FullResponse | null {
    return this.#taken;
  }

  /** The last address that was asked for it, redirects included. */
  getRequestedUrl(): URL | null {
    return this.#asked;
  }

  /** The hosts that were asked for it. */
  getHosts(): ReadonlySet<string> {
    return this.#hosts;
  }

  /** That address where nothing has answered for it yet. */
  getUnansweredUrl(): URL | null {
    return this.#isAnswered ? null : this.#asked;
  }

  /** The headers of the last request for it. */
  getSentHeaders(): RequestHead['headers'] {
    return this.#sent;
  }

  getWarnings(): readonly Warning[] {
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
      await unfreezePage(this.#tab);
      return { kind: 'answer', answer: arrived };
    }
    // A navigation by a script is asked for as a redirect is; redirects were asked for when they came.
    const isScripted = this.#asked !== null && this.#hops === 0;
    if (isScripted && (await follows?.(to, this.#tab.signal)) === false) return { kind: 'stop' };
    [this.#asked, this.#isAnswered] = [to, false];
    if (to.origin === first.origin) {
      const all = overrideHeaders(headers, own);
      return all === headers ? { kind: 'go' } : { kind: 'go', headers: all };
    }
    await deleteCookies(this.#tab, this.#request);
    return { kind: 'go' };
  }

  /** Decides on an answer to a request for the document; `read` takes its body. */
  async onAnswer(answer: ResponseHead, read: () => Promise<FullResponse['body']>): Promise<'go' | 'stop'> {
    this.#isAnswered = true;
    const { location } = answer.headers;
    if (isRedirect(answer.status) && location !== undefined) return this.#onRedirect(answer, location);
    this.#hops = 0;
    if (this.#head !== null && isAttachment(answer)) return 'stop';
    this.#head = answer;
    if (isRenderedType(answer)) {
      await unfreezePage(this.#tab);
      return 'go';
    }
    this.#taken = { ...answer, body: BODILESS_STATUSES.has(answer.status) ? new Uint8Array() : await read() };
    return 'stop';
  }

  async #onRedirect(answer: ResponseHead, location: string): Promise<'go' | 'stop'> {
    this.#hops += 1;
    if (this.#hops > this.#limits.redirects) throw buildTooManyRedirects(this.#limits);
    const to = URL.parse(location, answer.url);
    // Chromium itself reports what is wrong with a malformed address.
    if (to === null) return 'go';
    if (!/^https?:$/.test(to.protocol)) throw buildInvalidRedirect();
    if ((await this.#request.follows?.(to, this.#tab.signal)) === false) {
      this.#taken = { ...answer, url: to.href, body: new Uint8Array() };
      return 'stop';
    }
    this.#warnings.push(...listRedirectWarnings(new URL(answer.url), to));
    return 'go';
  }
}

async function setCookies(tab: Tab, { cookies, url }: PageRequest): Promise<void> {
  const given = cookies.map(({ name, value }) => ({ name, value, url: url.href, path: '/' }));
  await tab.sendToBrowser('Storage.setCookies', { cookies: given, browserContextId: tab.contextId });
}

/** Cookies know no ports: they must be gone before another origin of the same host is asked. */
async function deleteCookies(tab: Tab, { cookies, url }: PageRequest): Promise<void> {
  await Promise.all(cookies.map(async ({ name }) => tab.send('Network.deleteCookies', { name, url: url.href })));
}

/** All headers of a request with the caller's in the place of the browser's; the same ones where the caller has none. */
export function overrideHeaders(sent: RequestHead['headers'], own: PageRequest['headers']): RequestHead['headers'] {
  const names = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  if (names.size === 0) return sent;
  const kept = Object.entries(sent).filter(([name]) => !names.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...own };
}

function isRenderedType({ status, headers }: ResponseHead): boolean {
  if (BODILESS_STATUSES.has(status) || isAttachment({ headers })) return false;
  const type = headers['content-type'] ?? '';
  return type === '' || RENDERED_TYPES.test(type);
}

/** Whether a browser would save the answer as a file: the page itself, or a download that a page starts. */
function isAttachment({ headers }: Pick<ResponseHead, 'headers'>): boolean {
  return /^\s*attachment\b/i.test(headers['content-disposition'] ?? '');
}
