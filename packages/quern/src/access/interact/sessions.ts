import { setMaxListeners } from 'node:events';
import type { BrowserContext, BrowserContextOptions, Response } from 'patchright-core';
import type { Binary } from '#access/browser/binaries.ts';
import { withOwn } from '#access/browser/document.ts';
import type { Exit } from '#access/browser/exit.ts';
import type { RequestHead } from '#access/browser/interception.ts';
import { toUserAgent } from '#access/browser/flags.ts';
import { type Browser, launch } from '#access/browser/launch.ts';
import { BrowserPool, POOL_LIMITS } from '#access/browser/pool.ts';
import { MAX_CHALLENGE_MS, toFailure } from '#access/browser/visit.ts';
import { EGRESS_HEADER } from '#access/egress/credentials.ts';
import { attemptFailureOf, failed, strayPage, unreachable } from '#access/failure.ts';
import { classify } from '#access/classify/classifier.ts';
import type { VisitLimits } from '#access/limits.ts';
import type { ClassifiedPage, Device, Page, PageRequest } from '#access/page.ts';
import type { Clock } from '#kernel/clock.ts';
import { SERVICE_PARTY } from '#kernel/turns.ts';
import type { BrowserPlaces } from '#access/browser/places.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Gate } from './guarded-page.ts';
import { connect, type Driver } from './driver.ts';
import { buildDomains, type Domains } from './domains.ts';
import { Downloads } from './downloads.ts';
import { lendContext, type LentContext, toStorageState } from './lent-context.ts';
import { InteractSession } from './session.ts';

/** The start of a session. */
export type SessionOrder = Pick<PageRequest, 'url' | 'headers' | 'cookies' | 'country' | 'session' | 'party'> & {
  readonly device: Device;
  readonly locale: string | null;
  /** The domains that all of it is bound to; null for the site of `url`, which binds where its pages go. */
  readonly allowedDomains: readonly string[] | null;
  /** Whether a challenge's own script is waited for. */
  readonly waitsOutChallenges: boolean;
};

/** An open session and its first page. */
export type Opened = ClassifiedPage & { readonly session: InteractSession; readonly close: () => Promise<void> };

/** Issues the proxy credentials of a session, bound to its domains where the caller named them; what it throws ends it. */
export type Admit = (order: SessionOrder, signal: AbortSignal) => Promise<Exit>;

/** The time of a session: `signal` ends all of it, `first` the wait for its first page; `leftMs` is what is left of that. */
export type Times = {
  readonly signal: AbortSignal;
  readonly first: AbortSignal;
  readonly leftMs?: (() => number) | undefined;
};

export type Sessions = {
  /**
   * Opens a session and waits for its first page. Throws as a visit by a browser does, and `unsupported_content` where
   * the target is a file.
   */
  readonly open: (order: SessionOrder, admit: Admit, times: Times) => Promise<Opened>;
  readonly pids: () => readonly number[];
  readonly close: () => Promise<void>;
};

export type SessionsOptions = {
  readonly binary: Binary;
  /** The address of the egress proxy. */
  readonly egressUrl: string;
  readonly places: BrowserPlaces;
  readonly idleMs: number;
  readonly limits: VisitLimits;
  readonly clock: Clock;
  readonly readTarget: (url: string) => URL;
  readonly isRoot: boolean;
  readonly warn: (line: string) => void;
};

const CLOSE_MS = 5_000;
/** For reading what pages have left in a session's browser. */
const TAKE_BACK_MS = 5_000;
const POLL_MS = 250;
/** Kept for taking the first page after the last wait for its challenge. */
const KEPT_MS = 1_000;
const PHONE = { viewport: { width: 412, height: 915 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };

/** Sessions of a browser of their own, the one that people use; it starts with the first of them. */
export function openSessions(options: SessionsOptions): Sessions {
  const { binary, egressUrl, places, idleMs, clock, isRoot, warn } = options;
  const drivers = new WeakMap<Browser, Promise<Driver>>();
  const pool = new BrowserPool({
    // Sessions need tabs and pictures, whichever program shows them.
    launch: async (niceness) => launch({ kind: 'full', binary, niceness, proxyUrl: egressUrl, clock, isRoot, warn }),
    limits: { ...POOL_LIMITS, idleMs },
    places,
    clock,
  });

  async function driverOf(browser: Browser): Promise<Driver> {
    const known = drivers.get(browser) ?? connect(browser);
    drivers.set(browser, known);
    return known;
  }

  async function open(order: SessionOrder, admit: Admit, times: Times): Promise<Opened> {
    const { party = SERVICE_PARTY } = order;
    const { promise: opened, resolve, reject } = Promise.withResolvers<Omit<Opened, 'close'>>();
    const { promise: left, resolve: leave } = Promise.withResolvers<void>();
    const ending = new AbortController();
    const signal = AbortSignal.any([times.signal, ending.signal]);
    setMaxListeners(0, signal);
    signal.addEventListener('abort', () => leave(), { once: true });
    const ended = pool
      .run(
        async (browser) => {
          const life: SessionLife = {
            order,
            signal,
            first: AbortSignal.any([times.first, signal]),
            leftMs: times.leftMs ?? (() => Infinity),
            fail(error) {
              if (attemptFailureOf(error)?.facts.reason === 'crash') places.noteCrash(party.tenant);
              ending.abort(error);
            },
          };
          await runSession(browser, { admit, life, options, driver: await driverOf(browser), pool }, async (begun) => {
            resolve(begun);
            await left;
          });
        },
        { party, signal: times.first },
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

type SessionLife = {
  readonly order: SessionOrder;
  readonly signal: AbortSignal;
  readonly first: AbortSignal;
  readonly leftMs: () => number;
  readonly fail: (error: Error) => void;
};

type Means = {
  readonly admit: Admit;
  readonly life: SessionLife;
  readonly options: SessionsOptions;
  readonly driver: Driver;
  readonly pool: BrowserPool;
};

/** One session from its context to the end of that, which comes whatever happens. */
async function runSession(
  browser: Browser,
  means: Means,
  work: (begun: Omit<Opened, 'close'>) => Promise<void>,
): Promise<void> {
  const { admit, life, options, driver, pool } = means;
  const { order, signal, fail } = life;
  const exit = await admit(order, life.first);
  const domains = buildDomains(order.url, order.allowedDomains);
  const downloads = await Downloads.open(browser.profile);
  const { gate, refused, hosts } = openGate({ order, exit, domains, downloads, fail });
  const { readTarget, limits, clock } = options;
  let context: BrowserContext | null = null;
  let lent: LentContext | null = null;
  try {
    const contextOptions = { ...toContextOptions(order, browser.version), ...toStorageState(order, domains) };
    context = await driver.open(gate, contextOptions).catch((error: unknown) => {
      pool.retire(browser);
      throw failed('render_failed', 'the browser opened no page', { reason: 'context', cause: error });
    });
    lent = await lendContext(context, order, clock.now());
    hosts.clear();
    await giveCookies(context, order);
    const mostChars = limits.decodedBytes;
    const session = await InteractSession.open({
      context,
      domains,
      readTarget,
      mostChars,
      clock,
      signal,
      fail,
      refused,
      downloads,
    });
    const first = await arrive(session, { life, exit, clock, domains });
    await work({ session, ...first });
  } finally {
    const visited = new Set(hosts);
    if (lent !== null) await within(clock, TAKE_BACK_MS, lent.takeBack(visited));
    exit.revoke();
    const closing = context?.close() ?? Promise.resolve();
    if (!(await within(clock, CLOSE_MS, closing))) pool.retire(browser);
    await downloads.close();
  }
}

/** Whether work ended well within its time. */
async function within(clock: Clock, ms: number, work: Promise<unknown>): Promise<boolean> {
  const over = new AbortController();
  const ended = work.then(() => true).catch(() => false);
  const late = clock.sleep(ms, over.signal).then(() => false);
  const isWell = await Promise.race([ended, late.catch(() => false)]);
  over.abort();
  return isWell;
}

type GateParts = Pick<SessionLife, 'order' | 'fail'> & {
  readonly exit: Exit;
  readonly domains: Domains;
  readonly downloads: Downloads;
};

/** The gate of a session: pages keep to its domains, with the caller's headers at their own origin. */
function openGate({ order, exit, domains, downloads, fail }: GateParts) {
  let last: URL | null = null;
  const hosts = new Set<string>();
  function pass({ url, headers }: RequestHead): Readonly<Record<string, string>> | null {
    const to = URL.parse(url);
    if (to === null || !/^https?:$/.test(to.protocol) || !domains.admits(to.hostname)) {
      last = to;
      return null;
    }
    hosts.add(to.hostname);
    return to.origin === order.url.origin ? withOwn(headers, order.headers) : headers;
  }
  const gate: Gate = {
    exit,
    pass,
    downloads,
    onStray: () => fail(strayPage()),
  };
  function refused(): URL | null {
    const url = last;
    last = null;
    return url;
  }
  return { gate, refused, hosts };
}

function toContextOptions({ device, locale }: SessionOrder, version: number): BrowserContextOptions {
  const isPhone = device === 'mobile';
  return {
    acceptDownloads: false,
    ...(isPhone ? { ...PHONE, userAgent: toUserAgent(version, 'mobile') } : { viewport: null }),
    ...(locale === null ? {} : { locale }),
  };
}

async function giveCookies(context: BrowserContext, { cookies, url }: SessionOrder): Promise<void> {
  if (cookies.length === 0) return;
  await context.addCookies(cookies.map(({ name, value }) => ({ name, value, url: url.origin })));
}

type FirstVisit = { readonly life: SessionLife; readonly exit: Exit; readonly clock: Clock; readonly domains: Domains };

/** Goes to the first page, and lets a challenge's own script finish where the order says so. */
async function arrive(session: InteractSession, { life, exit, clock, domains }: FirstVisit): Promise<ClassifiedPage> {
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
    const stop = (): void => reject(failed('timeout', 'the target did not answer in time', { reason: 'render' }));
    first.addEventListener('abort', stop, { once: true });
    if (first.aborted) stop();
  });
  gone.catch(ignore);
  const go = async (): Promise<ClassifiedPage> => {
    await tab.goto(order.url.href, { waitUntil: 'domcontentloaded', timeout: 0 }).catch((error: unknown) => {
      throw toArrivalFailure(error, exit, order.url);
    });
    const until = clock.monotonic() + Math.min(MAX_CHALLENGE_MS, leftMs() - KEPT_MS);
    for (;;) {
      const page = await toPage(session, { answer: () => answer, exit, lost: () => lost });
      if (page.headers[EGRESS_HEADER] !== undefined) throw exit.failureOf(new URL(page.url)) ?? unreachable();
      const classification = classify(page, { requested: order.url, rendered: true });
      const isOver = classification.outcome !== 'challenge' || !order.waitsOutChallenges || clock.monotonic() >= until;
      if (isOver) return { page, classification };
      await clock.sleep(POLL_MS, first);
    }
  };
  const arrived = await Promise.race([go(), gone]);
  domains.settle(new URL(arrived.page.url).hostname);
  return arrived;
}

type Arrived = {
  readonly answer: () => Response | null;
  readonly exit: Exit;
  /** The last document that did not come, and Chromium's error. */
  readonly lost: () => { readonly url: string; readonly why: string } | null;
};

async function toPage(session: InteractSession, { answer, exit, lost }: Arrived): Promise<Page> {
  const { url, html } = await session.look(0);
  const response = answer();
  const gone = url.startsWith('chrome-error:') ? lost() : null;
  // An answer without a body leaves a page of the browser's own too.
  if (gone !== null && gone.url !== response?.url()) {
    throw exit.failureOf(new URL(gone.url)) ?? toFailure(gone.why);
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

function toArrivalFailure(error: unknown, exit: Exit, url: URL): unknown {
  if (!(error instanceof Error)) return error;
  if (/Download is starting|ERR_ABORTED/.test(error.message)) {
    return new ServiceError('unsupported_content', 'the target is a file that a browser saves: fetch reads it');
  }
  const net = /net::ERR_[A-Z0-9_]+/.exec(error.message)?.[0];
  if (net !== undefined) return exit.failureOf(url) ?? toFailure(net);
  return failed('render_failed', 'the browser failed at this page', { reason: 'crash', cause: error });
}

function ignore(): void {}
