import { setMaxListeners } from 'node:events';
import type { Browser as Driven, BrowserContext, BrowserContextOptions } from 'patchright-core';
import { z } from 'zod';
import type { DevTools, DevToolsMessage } from '#access/browser/devtools.ts';
import type { Browser } from '#access/browser/launch.ts';
import { type ContextGate, GuardedPage } from './guarded-page.ts';
import { NUMBERED_ENGINE_NAME, NUMBERED_ENGINE } from './snapshot.ts';

/** Makes contexts in one browser, each behind a gate of its own. */
export type Driver = {
  readonly open: (gate: ContextGate, options: BrowserContextOptions) => Promise<BrowserContext>;
};

const CONNECT_TIMEOUT_MS = 30_000;

/** Connects patchright to a browser over the pipe that we hold; it is loaded when it is first needed. */
export async function connectDriver({ devtools }: Browser): Promise<Driver> {
  const { chromium, selectors } = await import('patchright-core');
  await selectors.register(NUMBERED_ENGINE_NAME, NUMBERED_ENGINE, { contentScript: true }).catch(ignoreRegistered);
  const bridge = new Bridge(devtools);
  const driven: Driven = await chromium.connectOverCDP(bridge.transport, { timeout: CONNECT_TIMEOUT_MS });
  let last: Promise<unknown> = Promise.resolve();
  return {
    async open(gate, options) {
      // One after the other, so that each context meets its own gate.
      const opened = last.then(async () => {
        bridge.addGate(gate);
        return driven.newContext(options);
      });
      last = opened.catch(() => undefined);
      return opened;
    },
  };
}

/** Selector engines are shared by all browsers of the process. */
function ignoreRegistered(error: unknown): void {
  if (!(error instanceof Error) || !error.message.includes('already')) throw error;
}

/** The end of a driver's connection to a browser, as patchright wants it. */
type Transport = {
  send(message: object): void;
  close(): void;
  onmessage?: (message: object) => void;
  onclose?: (reason?: string) => void;
};

/** Frames below pages whose contexts are remembered; the download of an older one is refused. */
const MAX_FRAMES = 10_000;

const Command = z.object({
  id: z.number(),
  method: z.string(),
  params: z.unknown(),
  sessionId: z.string().optional(),
});
const Context = z.object({ browserContextId: z.string() });
const Attached = z.object({
  sessionId: z.string(),
  targetInfo: z.object({
    targetId: z.string(),
    type: z.string(),
    browserContextId: z.string().optional(),
    openerId: z.string().optional(),
  }),
});
const CacheSetting = z.object({ cacheDisabled: z.boolean() });
const Detached = z.object({ sessionId: z.string() });
const FrameAttached = z.object({ frameId: z.string() });
const DownloadBegun = z.object({ frameId: z.string(), guid: z.string(), suggestedFilename: z.string() });
const DownloadState = z.object({
  guid: z.string(),
  totalBytes: z.number(),
  receivedBytes: z.number(),
  state: z.enum(['inProgress', 'completed', 'canceled']),
});

/**
 * Connects another driver to a browser of ours, and stands between its pages and the network: the proxy's request for
 * credentials is answered with those of the context, and a main document that its gate does not let pass never
 * leaves. The driver has `Fetch` enabled for every request, and hears of those that may leave. Files that pages download
 * go to the folder of their context's gate.
 */
class Bridge {
  /** For the driver, which sets its handlers on it. */
  readonly transport: Transport = {
    send: (message) => this.#send(message),
    close: () => this.#life.abort(),
  };
  readonly #devtools: DevTools;
  readonly #relay: ReturnType<DevTools['relay']>;
  /** Gates by the ids of their contexts, of contexts that are to be made, and of those being made by the command's id. */
  readonly #gates = new Map<string, ContextGate>();
  readonly #expected: ContextGate[] = [];
  readonly #making = new Map<number, ContextGate>();
  /** Pages of contexts with a gate, by their sessions. */
  readonly #pages = new Map<string, GuardedPage>();
  /** The contexts of these pages by their sessions, those of targets by their ids, and those of other frames by theirs. */
  readonly #contexts = new Map<string, string>();
  readonly #targets = new Map<string, string>();
  readonly #frames = new Map<string, string>();
  /** Gates by the ids of the downloads that are under way. */
  readonly #downloads = new Map<string, ContextGate>();
  readonly #waiting: object[] = [];
  readonly #life = new AbortController();

  constructor(devtools: DevTools) {
    this.#devtools = devtools;
    setMaxListeners(0, this.#life.signal);
    this.#relay = devtools.relay((message) => this.#onMessage(message));
    void this.#endWithBrowser();
  }

  /** Sets the gate of the context that the driver makes next. */
  addGate(gate: ContextGate): void {
    this.#expected.push(gate);
  }

  #send(message: object): void {
    const { id, method, params, sessionId = '' } = Command.parse(message);
    if (method === 'Network.setCacheDisabled' && !CacheSetting.parse(params).cacheDisabled) {
      this.#answer(sessionId, id);
      return;
    }
    const gate = method === 'Target.createBrowserContext' ? this.#expected.shift() : undefined;
    if (gate !== undefined) this.#making.set(id, gate);
    if (method === 'Target.disposeBrowserContext') this.#forget(Context.parse(params).browserContextId);
    const page = method === 'Fetch.continueRequest' ? this.#pages.get(sessionId) : undefined;
    const told = method === 'Browser.setDownloadBehavior' ? this.#toSaving(params) : params;
    this.#relay({ id, session: sessionId, method, params: page === undefined ? told : page.toContinued(params) });
  }

  /** The driver's command about downloads, with the folder of the context's gate. */
  #toSaving(params: unknown): unknown {
    const { browserContextId = '' } = Context.partial().parse(params);
    const downloadPath = this.#gates.get(browserContextId)?.downloads.folder;
    if (downloadPath === undefined) return params;
    return { behavior: 'allowAndName', browserContextId, downloadPath, eventsEnabled: true };
  }

  #forget(context: string): void {
    this.#gates.delete(context);
    for (const known of [this.#targets, this.#frames])
      for (const [id, its] of known) if (its === context) known.delete(id);
  }

  /**
   * Answers a command of the driver that changes nothing, before the event that its page is gone. The driver sends this one
   * for each new tab without catching its failure, and would end the process where the tab closes at once.
   */
  #answer(sessionId: string, id: number): void {
    queueMicrotask(() => this.transport.onmessage?.({ id, sessionId, result: {} }));
  }

  #onMessage({ id, method, session, params, result, error, errorCode: code }: DevToolsMessage): void {
    if (id !== null) {
      const gate = this.#making.get(id);
      this.#making.delete(id);
      if (gate !== undefined && error === null) this.#gates.set(Context.parse(result).browserContextId, gate);
      this.#deliver(session, error === null ? { id, result } : { id, error: { code, message: error } });
      return;
    }
    if (method !== null && this.#isHeard(session, method, params)) this.#deliver(session, { method, params });
  }

  /** Whether an event is for the driver too. */
  #isHeard(session: string, method: string, params: unknown): boolean {
    if (method === 'Target.attachedToTarget') this.#onAttached(params);
    if (method === 'Target.detachedFromTarget') this.#onDetached(params);
    if (method === 'Page.frameAttached') this.#onFrame(session, params);
    if (method === 'Browser.downloadWillBegin') this.#onDownload(params);
    if (method === 'Browser.downloadProgress') this.#onDownloadProgress(params);
    const page = this.#pages.get(session);
    if (page !== undefined) return page.isHeard(method, params);
    return method !== 'Fetch.requestPaused' && method !== 'Fetch.authRequired';
  }

  #onAttached(params: unknown): void {
    const { sessionId, targetInfo } = Attached.parse(params);
    const { browserContextId: context = '', targetId } = targetInfo;
    const gate = this.#gates.get(context);
    if (gate === undefined) return;
    this.#contexts.set(sessionId, context);
    this.#targets.set(targetId, context);
    const session = this.#devtools.session(sessionId);
    const mainId = targetInfo.type === 'page' ? targetId : null;
    // The first document of a tab that a page opens may be asked for only after the click that opened it has ended.
    if (mainId !== null && targetInfo.openerId !== undefined) gate.downloads.noteRequest(mainId);
    this.#pages.set(sessionId, new GuardedPage({ session, gate, mainId, signal: this.#life.signal }));
  }

  #onDetached(params: unknown): void {
    const { sessionId } = Detached.parse(params);
    this.#pages.delete(sessionId);
    this.#contexts.delete(sessionId);
  }

  /** A frame that is gone keeps its context: its download may have begun. */
  #onFrame(session: string, params: unknown): void {
    const context = this.#contexts.get(session);
    if (context === undefined) return;
    this.#frames.set(FrameAttached.parse(params).frameId, context);
    const [oldest] = this.#frames.keys();
    if (this.#frames.size > MAX_FRAMES && oldest !== undefined) this.#frames.delete(oldest);
  }

  #onDownload(params: unknown): void {
    const { frameId, guid, suggestedFilename } = DownloadBegun.parse(params);
    const context = this.#targets.get(frameId) ?? this.#frames.get(frameId);
    const gate = this.#gates.get(context ?? '');
    if (context === undefined || gate === undefined) {
      // A download of no known session is bounded by nobody.
      for (const each of this.#gates.keys()) this.#cancel(guid, each);
      return;
    }
    this.#downloads.set(guid, gate);
    gate.downloads.noteStart({ guid, frame: frameId, suggestedFilename, cancel: () => this.#cancel(guid, context) });
  }

  #cancel(guid: string, browserContextId: string): void {
    this.#devtools
      .send('Browser.cancelDownload', { guid, browserContextId }, this.#life.signal)
      .catch(ignoreEndedDownload);
  }

  #onDownloadProgress(params: unknown): void {
    const progress = DownloadState.parse(params);
    this.#downloads.get(progress.guid)?.downloads.noteProgress(progress);
    if (progress.state !== 'inProgress') this.#downloads.delete(progress.guid);
  }

  /**
   * The driver gets each message in a task of its own, as from a pipe of its own: it listens to a new tab only after an
   * answer, and would miss what comes in one piece with that.
   */
  #deliver(session: string, message: object): void {
    this.#waiting.push(session === '' ? message : { ...message, sessionId: session });
    if (this.#waiting.length === 1) setImmediate(() => this.#deliverFirst());
  }

  #deliverFirst(): void {
    const [message] = this.#waiting;
    if (message === undefined || this.#life.signal.aborted) return;
    try {
      this.transport.onmessage?.(message);
    } catch (error) {
      // A message that the driver fails at ends its sessions, and not the service.
      this.#life.abort(error);
      this.transport.onclose?.('the driver failed');
    }
    // Messages that came meanwhile stand behind it.
    this.#waiting.shift();
    if (this.#waiting.length > 0) setImmediate(() => this.#deliverFirst());
  }

  async #endWithBrowser(): Promise<void> {
    const reason = await this.#devtools.gone;
    this.#life.abort(reason);
    this.transport.onclose?.(reason.message);
  }
}

/** A download that has ended cannot be cancelled. */
function ignoreEndedDownload(): void {}
