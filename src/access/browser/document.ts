import { z } from 'zod';
import { isRedirect } from '#access/exchange.ts';
import { failed } from '#access/failure.ts';
import type { Limits } from '#access/limits.ts';
import type { PageRequest } from '#access/page.ts';
import type { Warning } from '#kernel/warnings.ts';
import { readStream } from './stream.ts';
import type { Exit } from './exit.ts';
import type { Tab } from './tab.ts';

/** The head of the answer that a page was made of. */
export type Head = {
  readonly url: string;
  readonly status: number;
  /** Lower-case names; repeated fields joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
};

/** A document that a browser would show by a viewer or save, taken as it came. */
export type Taken = Head & { readonly body: Uint8Array<ArrayBuffer> };

/** What became of the main document. */
export type MainDocument = {
  /** The last answer to it, redirects aside; null before the first. */
  readonly head: () => Head | null;
  readonly taken: () => Taken | null;
  /** The last address that was asked for it, redirects included. */
  readonly asked: () => URL | null;
  readonly warnings: () => readonly Warning[];
};

export type DocumentOptions = {
  readonly request: PageRequest;
  readonly limits: Limits;
  /** For the proxy, which asks who comes. */
  readonly exit: Exit;
  /** Kinds of resources that are not loaded. */
  readonly without: readonly string[];
};

const Fields = z.array(z.object({ name: z.string(), value: z.string() }));
const Paused = z.object({
  requestId: z.string(),
  /** Absent where no frame navigates: the page saves something. */
  networkId: z.string().optional(),
  frameId: z.string(),
  resourceType: z.string(),
  request: z.object({ url: z.string(), headers: z.record(z.string(), z.string()) }),
  responseErrorReason: z.string().optional(),
  responseStatusCode: z.number().optional(),
  responseHeaders: Fields.optional(),
});
const Challenged = z.object({ requestId: z.string(), authChallenge: z.object({ source: z.string().optional() }) });
const Stream = z.object({ stream: z.string() });

type Paused = z.output<typeof Paused>;

/** What a browser renders; a document without a type is sniffed by it. */
const RENDERED = /^(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i;

/** Answers that have no body (RFC 9110 section 15). */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

const DOWNGRADED: Warning = { code: 'tls_downgrade', message: 'a redirect led from https to http' };

/**
 * Stands between the network and the main document: notes status and headers, bounds redirects, sends the caller's
 * headers and cookies to their own origin only, and takes what is not HTML as bytes. Also answers the proxy.
 */
export async function watchDocument(tab: Tab, options: DocumentOptions): Promise<MainDocument> {
  const { request, limits, exit, without } = options;
  const warnings: Warning[] = [];
  let head: Head | null = null;
  let taken: Taken | null = null;
  let asked: URL | null = null;
  let hops = 0;

  async function onRequest({ requestId, networkId, frameId, resourceType, request: sent }: Paused): Promise<void> {
    if (resourceType !== 'Document' || networkId === undefined) {
      await tab.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
      return;
    }
    if (frameId !== tab.id) {
      await tab.send('Fetch.continueRequest', { requestId });
      return;
    }
    asked = new URL(sent.url);
    const atHome = asked.origin === request.url.origin;
    if (!atHome) await forgetCookies(tab, request);
    const own = atHome ? toFields(sent.headers, request.headers) : [];
    await tab.send('Fetch.continueRequest', { requestId, ...(own.length > 0 ? { headers: own } : {}) });
  }

  async function onAnswer({
    requestId,
    frameId,
    request: sent,
    responseStatusCode: status = 0,
    responseHeaders,
  }: Paused) {
    const answer = { url: sent.url, status, headers: toHeaders(responseHeaders ?? []) };
    if (frameId !== tab.id || status === 0) {
      await tab.send('Fetch.continueRequest', { requestId });
      return;
    }
    const { location } = answer.headers;
    if (isRedirect(status) && location !== undefined) {
      onRedirect(sent.url, location);
      await tab.send('Fetch.continueRequest', { requestId });
      return;
    }
    hops = 0;
    if (head !== null && isAttached(answer)) {
      await tab.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
      return;
    }
    head = answer;
    if (isRendered(answer)) {
      await tab.send('Fetch.continueRequest', { requestId });
      return;
    }
    taken = { ...answer, body: BODILESS.has(status) ? new Uint8Array() : await readBody(tab, requestId, limits) };
    await tab.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
  }

  function onRedirect(from: string, location: string): void {
    hops += 1;
    if (hops > limits.redirects) {
      const message = `the target redirects more than ${limits.redirects} times`;
      tab.fail(failed('unusable', message, { reason: 'redirects' }));
    }
    const to = URL.parse(location, from);
    if (from.startsWith('https:') && to?.protocol === 'http:' && warnings.length === 0) warnings.push(DOWNGRADED);
  }

  async function onChallenge(params: unknown): Promise<void> {
    const { requestId, authChallenge } = Challenged.parse(params);
    const { username, password } = exit;
    const isOurs = authChallenge.source === 'Proxy';
    const response = isOurs ? { response: 'ProvideCredentials', username, password } : { response: 'CancelAuth' };
    await tab.send('Fetch.continueWithAuth', { requestId, authChallengeResponse: response });
  }

  async function reply(method: string, params: unknown): Promise<void> {
    if (method === 'Fetch.authRequired') return onChallenge(params);
    const paused = Paused.parse(params);
    const isAnswer = paused.responseStatusCode !== undefined || paused.responseErrorReason !== undefined;
    return isAnswer ? onAnswer(paused) : onRequest(paused);
  }

  tab.listen(({ method, params }) => {
    if (method !== 'Fetch.requestPaused' && method !== 'Fetch.authRequired') return;
    // A request that is gone by the time it is answered does not matter; what else fails ends the visit.
    reply(method, params).catch((error: unknown) => {
      if (!(error instanceof Error) || error.name !== 'CommandRefused') tab.fail(toError(error));
    });
  });
  await tab.send('Fetch.enable', {
    handleAuthRequests: true,
    patterns: [
      { resourceType: 'Document', requestStage: 'Response' },
      // Chromium hands over a proxy's question only of requests that it also hands over before they are sent.
      { resourceType: 'Document', requestStage: 'Request' },
      ...without.map((resourceType) => ({ resourceType, requestStage: 'Request' })),
    ],
  });
  if (request.cookies.length > 0) await giveCookies(tab, request);
  return { head: () => head, taken: () => taken, asked: () => asked, warnings: () => warnings };
}

async function giveCookies(tab: Tab, { cookies, url }: PageRequest): Promise<void> {
  const given = cookies.map(({ name, value }) => ({ name, value, url: url.href, path: '/' }));
  await tab.sendToBrowser('Storage.setCookies', { cookies: given, browserContextId: tab.contextId });
}

/** Cookies know no ports: they must be gone before another origin of the same host is asked. */
async function forgetCookies(tab: Tab, { cookies, url }: PageRequest): Promise<void> {
  await Promise.all(cookies.map(async ({ name }) => tab.send('Network.deleteCookies', { name, url: url.href })));
}

/** All headers of a request with the caller's in the place of the browser's; none when the caller has none. */
function toFields(sent: Readonly<Record<string, string>>, own: Readonly<Record<string, string>>) {
  const names = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  if (names.size === 0) return [];
  const kept = Object.entries(sent).filter(([name]) => !names.has(name.toLowerCase()));
  return [...kept, ...Object.entries(own)].map(([name, value]) => ({ name, value }));
}

function toHeaders(fields: z.output<typeof Fields>): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const { name, value } of fields) {
    const key = name.toLowerCase();
    const text = value.replaceAll('\n', ', ');
    headers[key] = headers[key] === undefined ? text : `${headers[key]}, ${text}`;
  }
  return headers;
}

function isRendered({ status, headers }: Head): boolean {
  if (BODILESS.has(status)) return false;
  if (isAttached({ headers })) return false;
  const type = headers['content-type'] ?? '';
  return type === '' || RENDERED.test(type);
}

/** What a browser would save: the page itself where it was asked for, a download where a page that is there starts it. */
function isAttached({ headers }: Pick<Head, 'headers'>): boolean {
  return /^\s*attachment\b/i.test(headers['content-disposition'] ?? '');
}

/** The decoded body, read piece by piece so that an endless one is noticed. */
async function readBody(tab: Tab, requestId: string, limits: Limits): Promise<Uint8Array<ArrayBuffer>> {
  const { stream } = Stream.parse(await tab.send('Fetch.takeResponseBodyAsStream', { requestId }));
  return readStream(tab, stream, { mostBytes: limits.decodedBytes, what: 'the page' });
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
