import { setMaxListeners } from 'node:events';
import type { BrowserContext, BrowserContextOptions, Response } from 'patchright-core';
import type { Binary } from '#access/browser/binaries.ts';
import { overrideHeaders } from '#access/browser/document.ts';
import type { EgressAccess } from '#access/browser/context.ts';
import type { RequestHead } from '#access/browser/interception.ts';
import { buildUserAgent } from '#access/browser/flags.ts';
import { type Browser, launchBrowser } from '#access/browser/launch.ts';
import { BrowserPool, POOL_LIMITS } from '#access/browser/pool.ts';
import { MAX_CHALLENGE_MS, toNavigationFailure } from '#access/browser/visit.ts';
import { EGRESS_HEADER } from '#access/egress/credentials.ts';
import { findAttemptFailure, buildFailure, buildInvalidNavigation, buildUnreachable } from '#access/failure.ts';
import { classify } from '#access/classify/classifier.ts';
import type { VisitLimits } from '#access/limits.ts';
import type { ClassifiedPage, Device, Page, PageRequest } from '#access/page.ts';
import type { Clock } from '#kernel/clock.ts';
import { SERVICE_OWNER } from '#kernel/fair-queue.ts';
import type { PageSlots } from '#access/browser/page-slots.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { ContextGate } from './guarded-page.ts';
import { connectDriver, type Driver } from './driver.ts';
import { createAllowedDomains, type AllowedDomains } from './domains.ts';
import { Downloads } from './downloads.ts';
import { loadContextSession, type ContextSession, buildStorageState } from './caller-session.ts';
import { InteractSession } from './session.ts';

/** The start of a session. */
export type SessionOrder = Pick<PageRequest, 'url' | 'headers' | 'cookies' | 'country' | 'session' | 'party'> & {
  readonly device: Device;
  readonly locale: string | null;
  /** The domains that all requests are limited to. Null limits only the pages, to the site of `url`. */
  readonly allowedDomains: readonly string[] | null;
  /** Whether to wait until the script of a challenge has finished. */
  readonly waitsOutChallenges: boolean;
};

/** An open session and its first page. */
export type OpenedSession = ClassifiedPage & { readonly session: InteractSession; readonly close: () => Promise<void> };

/** Issues the proxy credentials of a session, limited to `allowedDomains` if they are set. An error ends the session. */
export type AdmitSession = (order: SessionOrder, signal: AbortSignal) => Promise<EgressAccess>;

/** The times of a session: `signal` ends the session, `first` the wait for its first page, and `getLeftMs` returns the rest of it. */
export type SessionTimes = {
  readonly signal: AbortSignal;
  readonly first: AbortSignal;
  readonly getLeftMs?: (() => number) | undefined;
};

export type Sessions = {
  /**
   * Opens a session and waits for its first page. Throws the errors of a browser visit, and `unsupported_content` if the
   * target is a file.
   */
  readonly open: (order: SessionOrder, admit: AdmitSession, times: SessionTimes) => Promise<OpenedSession>;
  readonly pids: () => readonly number[];
  readonly close: () => Promise<void>;
};

export type SessionsOptions = {
  readonly binary: Binary;
  /** The address of the egress proxy. */
  readonly egressUrl: string;
  readonly slots: PageSlots;
  readonly idleMs: number;
  readonly limits: VisitLimits;
  readonly clock: Clock;
  readonly readTarget: (url: string) => URL;
  readonly isRoot: boolean;
  readonly warn: (line: string) => void;
};

const CLOSE_TIMEOUT_MS = 5_000;
/** Time limit for reading cookies and storage at the end of a session. */
const COLLECT_TIMEOUT_MS = 5_000;
const POLL_MS = 250;
/** Time reserved for reading the first page after the last wait for its challenge. */
const RESERVED_MS = 1_000;
const PHONE_CONTEXT = { viewport: { width: 412, height: 915 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };

/** Creates the sessions, which share one full browser; it starts with the first session. */
export function createSessions(options: SessionsOptions): Sessions {
  const { binary, egressUrl, slots, idleMs, clock, isRoot, warn } = options;
  const drivers = new WeakMap<Browser, Promise<Driver>>();
  const pool = new BrowserPool({
    // In full mode, because sessions need tabs and screenshots.
    launch: async (niceness) =>
      launchBrowser({ kind: 'full', binary, niceness, proxyUrl: egressUrl, clock, isRoot, warn }),
    limits: { ...POOL_LIMITS, idleMs },
    slots,
    clock,
  });

  async function getDriver(browser: Browser): Promise<Driver> {
    const driver = drivers.get(browser) ?? connectDriver(browser);
    drivers.set(browser, driver);
    return driver;
  }

  async function open(order: SessionOrder, admit: AdmitSession, times: SessionTimes): Promise<OpenedSession> {
    const { party = SERVICE_OWNER } = order;
    const { promise: opened, resolve, reject } = Promise.withResolvers<Omit<OpenedSession, 'close'>>();
    const { promise: left, resolve: leave } = Promise.withResolvers<void>();
    const ending = new AbortController();
    const signal = AbortSignal.any([times.signal, ending.signal]);
    setMaxListeners(0, signal);
    signal.addEventListener('abort', () => leave(), { once: true });
    const ended = pool
      .run(
        async (browser) => {
          const life: SessionLifetime = {
            order,
            signal,
            first: AbortSignal.any([times.first, signal]),
            leftMs: times.getLeftMs ?? (() => Infinity),
            fail(error) {
              if (findAttemptFailure(error)?.facts.reason === 'crash') slots.noteCrash(party.tenant);
              ending.abort(error);
            },
          };
          await runSession(
            browser,
            { admit, life, options, driver: await getDriver(browser), pool },
            async (session) => {
              resolve(session);
              await left;
            },
          );
        },
        { owner: party, signal: times.first },
      )
      .catch(reject);
    async function close(): Promise<void> {
      leave();
      await ended;
    }
    return { ...(await opened), close };
  }

  return { open, pids: () => pool.pids(), close: async () => pool.close() };
}

type SessionLifetime = {
  readonly order: SessionOrder;
  readonly signal: AbortSignal;
  readonly first: AbortSignal;
  readonly leftMs: () => number;
  readonly fail: (error: Error) => void;
};

type RunSessionOptions = {
  readonly admit: AdmitSession;
  readonly life: SessionLifetime;
  readonly options: SessionsOptions;
  readonly driver: Driver;
  readonly pool: BrowserPool;
};

/** Runs one session from creating its context to closing it, also after errors. */
async function runSession(
  browser: Browser,
  { admit, life, options, driver, pool }: RunSessionOptions,
  work: (session: Omit<OpenedSession, 'close'>) => Promise<void>,
): Promise<void> {
  const { order, signal, fail } = life;
  const exit = await admit(order, life.first);
  const domains = createAllowedDomains(order.url, order.allowedDomains);
  const downloads = await Downloads.open(browser.profile);
  const { gate, takeRefused, hosts } = createGate({ order, exit, domains, downloads, fail });
  const { readTarget, limits, clock } = options;
  let context: BrowserContext | null = null;
  let contextSession: ContextSession | null = null;
  try {
    const contextOptions = { ...toContextOptions(order, browser.version), ...buildStorageState(order, domains) };
    context = await driver.open(gate, contextOptions).catch((error: unknown) => {
      pool.retire(browser);
      throw buildFailure('render_failed', 'the browser opened no page', { reason: 'context', cause: error });
    });
    contextSession = await loadContextSession(context, order, clock.now());
    hosts.clear();
    await setCookies(context, order);
    const session = await InteractSession.open({
      context,
      domains,
      readTarget,
      maxChars: limits.decodedBytes,
      clock,
      signal,
      fail,
      takeRefused,
      downloads,
    });
    const first = await visitFirstPage(session, { life, exit, clock, domains });
    await work({ session, ...first });
  } finally {
    const visited = new Set(hosts);
    if (contextSession !== null) await endsInTime(clock, COLLECT_TIMEOUT_MS, contextSession.collectChanges(visited));
    exit.revoke();
    const closing = context?.close() ?? Promise.resolve();
    if (!(await endsInTime(clock, CLOSE_TIMEOUT_MS, closing))) pool.retire(browser);
    await downloads.close();
  }
}

/** Whether work succeeded within its time limit. */
async function endsInTime(clock: Clock, ms: number, work: Promise<unknown>): Promise<boolean> {
  const over = new AbortController();
  const ended = work.then(() => true).catch(() => false);
  const late = clock.sleep(ms, over.signal).then(() => false);
  const isInTime = await Promise.race([ended, late.catch(() => false)]);
  over.abort();
  return isInTime;
}

type GateOptions = Pick<SessionLifetime, 'order' | 'fail'> & {
  readonly exit: EgressAccess;
  readonly domains: AllowedDomains;
  readonly downloads: Downloads;
};

/** Creates the gate of a session, which limits pages to its domains and adds the caller's headers at the origin of `url`. */
function createGate({ order, exit, domains, downloads, fail }: GateOptions) {
  let blocked: URL | null = null;
  const hosts = new Set<string>();
  function checkRequest({ url, headers }: RequestHead): Readonly<Record<string, string>> | null {
    const to = URL.parse(url);
    if (to === null || !/^https?:$/.test(to.protocol) || !domains.admits(to.hostname)) {
      blocked = to;
      return null;
    }
    hosts.add(to.hostname);
    return to.origin === order.url.origin ? overrideHeaders(headers, order.headers) : headers;
  }
  const gate: ContextGate = {
    egress: exit,
    checkRequest,
    downloads,
    onForbiddenScheme: () => fail(buildInvalidNavigation()),
  };
  function takeRefused(): URL | null {
    const url = blocked;
    blocked = null;
    return url;
  }
  return { gate, takeRefused, hosts };
}

function toContextOptions({ device, locale }: SessionOrder, version: number): BrowserContextOptions {
  const isPhone = device === 'mobile';
  return {
    acceptDownloads: false,
    ...(isPhone ? { ...PHONE_CONTEXT, userAgent: buildUserAgent(version, 'mobile') } : { viewport: null }),
    ...(locale === null ? {} : { locale }),
  };
}

async function setCookies(context: BrowserContext, { cookies, url }: SessionOrder): Promise<void> {
  if (cookies.length === 0) return;
  await context.addCookies(cookies.map(({ name, value }) => ({ name, value, url: url.origin })));
}

type FirstVisit = {
  readonly life: SessionLifetime;
  readonly exit: EgressAccess;
  readonly clock: Clock;
  readonly domains: AllowedDomains;
};

/** Visits the first page, and waits for the script of a challenge if the order says so. */
async function visitFirstPage(
  session: InteractSession,
  { life, exit, clock, domains }: FirstVisit,
): Promise<ClassifiedPage> {
  const { order, first, leftMs } = life;
  const tab = session.page();
  let answer: Response | null = null;
  let lost: { readonly url: string; readonly why: string } | null = null;
  tab.on('requestfailed', (request) => {
    if (!request.isNavigationRequest() || request.frame() !== tab.mainFrame()) return;
    lost = { url: request.url(), why: request.failure()?.errorText ?? '' };
  });
  tab.on('response', (response) => {
    if (response.request().isNavigationRequest() && response.frame() === tab.mainFrame()) answer = response;
  });
  const gone = new Promise<never>((_, reject) => {
    const stop = (): void => reject(buildFailure('timeout', 'the target did not answer in time', { reason: 'render' }));
    first.addEventListener('abort', stop, { once: true });
    if (first.aborted) stop();
  });
  gone.catch(ignoreLateAbort);
  const visit = async (): Promise<ClassifiedPage> => {
    await tab.goto(order.url.href, { waitUntil: 'domcontentloaded', timeout: 0 }).catch((error: unknown) => {
      throw toArrivalFailure(error, exit, order.url);
    });
    const until = clock.monotonic() + Math.min(MAX_CHALLENGE_MS, leftMs() - RESERVED_MS);
    for (;;) {
      const page = await readPage(session, { answer: () => answer, exit, lost: () => lost });
      if (page.headers[EGRESS_HEADER] !== undefined) throw exit.failureOf(new URL(page.url)) ?? buildUnreachable();
      const classification = classify(page, { requested: order.url, rendered: true });
      const isOver = classification.outcome !== 'challenge' || !order.waitsOutChallenges || clock.monotonic() >= until;
      if (isOver) return { page, classification };
      await clock.sleep(POLL_MS, first);
    }
  };
  const arrived = await Promise.race([visit(), gone]);
  domains.addFirstPage(new URL(arrived.page.url).hostname);
  return arrived;
}

type FirstPageState = {
  readonly answer: () => Response | null;
  readonly exit: EgressAccess;
  /** The last document that failed to load, and Chromium's error. */
  readonly lost: () => { readonly url: string; readonly why: string } | null;
};

async function readPage(session: InteractSession, { answer, exit, lost }: FirstPageState): Promise<Page> {
  const { url, html } = await session.look(0);
  const response = answer();
  const gone = url.startsWith('chrome-error:') ? lost() : null;
  // A response without a body shows an error page of the browser too.
  if (gone !== null && gone.url !== response?.url()) {
    throw exit.failureOf(new URL(gone.url)) ?? toNavigationFailure(gone.why);
  }
  const isShown = !url.startsWith('chrome-error:') && !url.startsWith('about:');
  const body = new Uint8Array(Buffer.from(isShown ? html : '', 'utf8'));
  return {
    url: isShown ? url : (response?.url() ?? url),
    status: response?.status() ?? 0,
    headers: response?.headers() ?? {},
    contentType: 'text/html; charset=utf-8',
    body,
    wireBytes: body.byteLength,
    rendered: true,
    warnings: [],
  };
}

function toArrivalFailure(error: unknown, exit: EgressAccess, url: URL): unknown {
  if (!(error instanceof Error)) return error;
  if (/Download is starting|ERR_ABORTED/.test(error.message)) {
    return new ServiceError('unsupported_content', 'the target is a file that browsers download: use fetch to read it');
  }
  const net = /net::ERR_[A-Z0-9_]+/.exec(error.message)?.[0];
  if (net !== undefined) return exit.failureOf(url) ?? toNavigationFailure(net);
  return buildFailure('render_failed', 'the browser failed on this page', { reason: 'crash', cause: error });
}

function ignoreLateAbort(): void {}
