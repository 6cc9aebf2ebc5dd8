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
  /** Resource types that are not loaded. */
  readonly blockedTypes: readonly string[];
};

/** Content types that a browser renders as a page; it sniffs a missing type. */
const RENDERED_TYPES = /^(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i;

/** Statuses of responses without a body (RFC 9110 section 15). */
const BODILESS_STATUSES: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Watches the main document of a visit: records its status and headers, limits redirects and asks whether to follow them,
 * sends the caller's headers and cookies to their own origin only, can start from the page of a cheaper tier, and reads
 * documents other than HTML as bytes.
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

/** The main document of a visit, from the first request to the last response. */
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
  /** Number of redirects since the last document. */
  #hops = 0;
  #sent: RequestHead['headers'] = {};

  constructor(tab: Tab, { request, limits }: DocumentOptions) {
    this.#tab = tab;
    this.#request = request;
    this.#limits = limits;
    this.#warnings = [...(request.arrived?.warnings ?? [])];
  }

  /** The head of the last response except redirects; null before the first one. */
  getHead(): ResponseHead | null {
    return this.#head;
  }

  /** The document as bytes if the browser would not render it as a page, or the redirect that is not followed; else null. */
  getDownload(): FullResponse | null {
    return this.#taken;
  }

  /** The last requested URL, including redirects. */
  getRequestedUrl(): URL | null {
    return this.#asked;
  }

  /** The requested hosts, including redirects. */
  getHosts(): ReadonlySet<string> {
    return this.#hosts;
  }

  /** The last requested URL if there is no response yet, else null. */
  getUnansweredUrl(): URL | null {
    return this.#isAnswered ? null : this.#asked;
  }

  /** The headers of the last request. */
  getSentHeaders(): RequestHead['headers'] {
    return this.#sent;
  }

  getWarnings(): readonly Warning[] {
    return this.#warnings;
  }

  /** Allows requests; earlier ones belong to the previous page of the context and are stopped. */
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
    // Navigations by scripts need permission like redirects; redirects were already checked at their response.
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

  /** Decides on a response to a request for the document; `read` reads its body. */
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
    // Chromium reports malformed URLs itself.
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
  const callerCookies = cookies.map(({ name, value }) => ({ name, value, url: url.href, path: '/' }));
  await tab.sendToBrowser('Storage.setCookies', { cookies: callerCookies, browserContextId: tab.contextId });
}

/** Cookies are not bound to a port, so delete them before requests to another origin of the same host. */
async function deleteCookies(tab: Tab, { cookies, url }: PageRequest): Promise<void> {
  await Promise.all(cookies.map(async ({ name }) => tab.send('Network.deleteCookies', { name, url: url.href })));
}

/** Replaces headers of a request by those of the caller; returns `sent` itself if the caller has none. */
export function overrideHeaders(sent: RequestHead['headers'], own: PageRequest['headers']): RequestHead['headers'] {
  const names = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  if (names.size === 0) return sent;
  const otherHeaders = Object.entries(sent).filter(([name]) => !names.has(name.toLowerCase()));
  return { ...Object.fromEntries(otherHeaders), ...own };
}

function isRenderedType({ status, headers }: ResponseHead): boolean {
  if (BODILESS_STATUSES.has(status) || isAttachment({ headers })) return false;
  const type = headers['content-type'] ?? '';
  return type === '' || RENDERED_TYPES.test(type);
}

/** Whether a browser would save the response as a file. */
function isAttachment({ headers }: Pick<ResponseHead, 'headers'>): boolean {
  return /^\s*attachment\b/i.test(headers['content-disposition'] ?? '');
}
