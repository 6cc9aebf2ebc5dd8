import { z } from 'zod';
import { isRedirect } from '#access/exchange.ts';
import { failed } from '#access/failure.ts';
import type { Limits } from '#access/limits.ts';
import type { PageRequest } from '#access/page.ts';
import type { Warning } from '#kernel/warnings.ts';
import { readStream } from './stream.ts';
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
  readonly warnings: () => readonly Warning[];
};

export type DocumentOptions = {
  readonly request: PageRequest;
  readonly limits: Limits;
  /** For the proxy that asks who comes. */
  readonly credentials: { readonly username: string; readonly password: string } | null;
  /** Kinds of resources that are not loaded. */
  readonly without: readonly string[];
};

const Fields = z.array(z.object({ name: z.string(), value: z.string() }));
const Paused = z.object({
  requestId: z.string(),
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
  const { request, limits, credentials, without } = options;
  const warnings: Warning[] = [];
  let head: Head | null = null;
  let taken: Taken | null = null;
  let hops = 0;
  const isPrivate = Object.keys(request.headers).length > 0 || request.cookies.length > 0;

  async function onRequest({ requestId, frameId, resourceType, request: sent }: Paused): Promise<void> {
    if (resourceType !== 'Document') {
      await tab.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
      return;
    }
    if (frameId !== tab.id) {
      await tab.send('Fetch.continueRequest', { requestId });
      return;
    }
    const atHome = new URL(sent.url).origin === request.url.origin;
    if (!atHome) await forgetCookies(tab, request);
    const headers = atHome ? { ...withoutNames(sent.headers, request.headers), ...request.headers } : sent.headers;
    const fields = Object.entries(headers).map(([name, value]) => ({ name, value }));
    await tab.send('Fetch.continueRequest', { requestId, ...(atHome ? { headers: fields } : {}) });
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
    head = answer;
    hops = 0;
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
    const isOurs = authChallenge.source === 'Proxy' && credentials !== null;
    const response = isOurs ? { response: 'ProvideCredentials', ...credentials } : { response: 'CancelAuth' };
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
    handleAuthRequests: credentials !== null,
    patterns: [
      { resourceType: 'Document', requestStage: 'Response' },
      ...(isPrivate ? [{ resourceType: 'Document', requestStage: 'Request' }] : []),
      ...without.map((resourceType) => ({ resourceType, requestStage: 'Request' })),
    ],
  });
  if (request.cookies.length > 0) await giveCookies(tab, request);
  return { head: () => head, taken: () => taken, warnings: () => warnings };
}

async function giveCookies(tab: Tab, { cookies, url }: PageRequest): Promise<void> {
  const given = cookies.map(({ name, value }) => ({ name, value, url: url.href, path: '/' }));
  await tab.sendToBrowser('Storage.setCookies', { cookies: given, browserContextId: tab.contextId });
}

/** Cookies know no ports: they must be gone before another origin of the same host is asked. */
async function forgetCookies(tab: Tab, { cookies, url }: PageRequest): Promise<void> {
  await Promise.all(cookies.map(async ({ name }) => tab.send('Network.deleteCookies', { name, url: url.href })));
}

function withoutNames(
  headers: Readonly<Record<string, string>>,
  others: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const names = new Set(Object.keys(others).map((name) => name.toLowerCase()));
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.has(name.toLowerCase())));
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
  if (/^\s*attachment\b/i.test(headers['content-disposition'] ?? '')) return false;
  const type = headers['content-type'] ?? '';
  return type === '' || RENDERED.test(type);
}

/** The decoded body, read piece by piece so that an endless one is noticed. */
async function readBody(tab: Tab, requestId: string, limits: Limits): Promise<Uint8Array<ArrayBuffer>> {
  const { stream } = Stream.parse(await tab.send('Fetch.takeResponseBodyAsStream', { requestId }));
  return readStream(tab, stream, { mostBytes: limits.decodedBytes, what: 'the page' });
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
