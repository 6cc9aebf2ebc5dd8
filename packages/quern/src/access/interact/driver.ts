import { setMaxListeners } from 'node:events';
import type { Browser as Driven, BrowserContext, BrowserContextOptions } from 'patchright-core';
import { z } from 'zod';
import type { DevTools, DevToolsMessage } from '#access/browser/devtools.ts';
import type { Browser } from '#access/browser/launch.ts';
import { type ContextGate, GuardedPage } from './guarded-page.ts';
import { NUMBERED_ENGINE_NAME, NUMBERED_ENGINE } from './snapshot.ts';

/** Creates contexts in one browser, each with its own gate. */
export type Driver = {
  readonly open: (gate: ContextGate, options: BrowserContextOptions) => Promise<BrowserContext>;
};

const CONNECT_TIMEOUT_MS = 30_000;

/** Connects patchright to a browser over our pipe. Patchright is loaded when it is first needed. */
export async function connectDriver({ devtools }: Browser): Promise<Driver> {
  const { chromium, selectors } = await import('patchright-core');
  await selectors.register(NUMBERED_ENGINE_NAME, NUMBERED_ENGINE, { contentScript: true }).catch(ignoreRegistered);
  const bridge = new Bridge(devtools);
  const driven: Driven = await chromium.connectOverCDP(bridge.transport, { timeout: CONNECT_TIMEOUT_MS });
  let last: Promise<unknown> = Promise.resolve();
  return {
    async open(gate, options) {
      // One after the other, so that each context gets its own gate.
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

/** The transport interface of patchright. */
type Transport = {
  send(message: object): void;
  close(): void;
  onmessage?: (message: object) => void;
  onclose?: (reason?: string) => void;
};

/** Maximum number of child frames whose contexts are remembered; downloads of older frames are cancelled. */
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
 * Connects patchright to our browser, and filters its messages. It answers the proxy's request for credentials with those of
 * the context. It blocks requests for main documents that the gate of the context does not allow. The driver enables `Fetch`
 * for every request, but only receives events of allowed requests. Downloads are saved in the folder of the context's gate.
 */
class Bridge {
  /** The transport for the driver, which sets its handlers on it. */
  readonly transport: Transport = {
    send: (message) => this.#send(message),
    close: () => this.#life.abort(),
  };
  readonly #devtools: DevTools;
  readonly #relay: ReturnType<DevTools['relay']>;
  /** Gates by context id. */
  readonly #gates = new Map<string, ContextGate>();
  /** Gates of contexts that the driver will create next. */
  readonly #expected: ContextGate[] = [];
  /** Gates of contexts that are being created, by the id of the command. */
  readonly #creating = new Map<number, ContextGate>();
  /** Pages of contexts with a gate, by session id. */
  readonly #pages = new Map<string, GuardedPage>();
  /** Context ids by session id. */
  readonly #contexts = new Map<string, string>();
  /** Context ids by target id. */
  readonly #targets = new Map<string, string>();
  /** Context ids by id of a child frame. */
  readonly #frames = new Map<string, string>();
  /** Gates by the ids of running downloads. */
  readonly #downloads = new Map<string, ContextGate>();
  readonly #queue: object[] = [];
  readonly #life = new AbortController();

  constructor(devtools: DevTools) {
    this.#devtools = devtools;
    setMaxListeners(0, this.#life.signal);
    this.#relay = devtools.relay((message) => this.#onMessage(message));
    void this.#endWithBrowser();
  }

  /** Sets the gate of the context that the driver creates next. */
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
    if (gate !== undefined) this.#creating.set(id, gate);
    if (method === 'Target.disposeBrowserContext') this.#forget(Context.parse(params).browserContextId);
    const page = method === 'Fetch.continueRequest' ? this.#pages.get(sessionId) : undefined;
    const sentParams = method === 'Browser.setDownloadBehavior' ? this.#addFolder(params) : params;
    this.#relay({ id, session: sessionId, method, params: page === undefined ? sentParams : page.toContinued(params) });
  }

  /** Adds the folder of the context's gate to the driver's command about downloads. */
  #addFolder(params: unknown): unknown {
    const { browserContextId = '' } = Context.partial().parse(params);
    const downloadPath = this.#gates.get(browserContextId)?.downloads.folder;
    if (downloadPath === undefined) return params;
    return { behavior: 'allowAndName', browserContextId, downloadPath, eventsEnabled: true };
  }

  #forget(context: string): void {
    this.#gates.delete(context);
    for (const contexts of [this.#targets, this.#frames])
      for (const [id, owner] of contexts) if (owner === context) contexts.delete(id);
  }

  /**
   * Answers a command that has no effect without sending it. The driver sends this command for each new tab and does not
   * catch its failure. If the tab closed at once, the failure would end the process.
   */
  #answer(sessionId: string, id: number): void {
    queueMicrotask(() => this.transport.onmessage?.({ id, sessionId, result: {} }));
  }

  #onMessage({ id, method, session, params, result, error, errorCode: code }: DevToolsMessage): void {
    if (id !== null) {
      const gate = this.#creating.get(id);
      this.#creating.delete(id);
      if (gate !== undefined && error === null) this.#gates.set(Context.parse(result).browserContextId, gate);
      this.#deliver(session, error === null ? { id, result } : { id, error: { code, message: error } });
      return;
    }
    if (method !== null && this.#isHeard(session, method, params)) this.#deliver(session, { method, params });
  }

  /** Whether the driver receives an event too. */
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
    // The first document of a tab that a page opened may be requested only after the click has ended.
    if (mainId !== null && targetInfo.openerId !== undefined) gate.downloads.noteRequest(mainId);
    this.#pages.set(sessionId, new GuardedPage({ session, gate, mainId, signal: this.#life.signal }));
  }

  #onDetached(params: unknown): void {
    const { sessionId } = Detached.parse(params);
    this.#pages.delete(sessionId);
    this.#contexts.delete(sessionId);
  }

  /** Stores the context of a frame. It stays stored after the frame is detached, because a download may have started. */
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
      // Nobody limits a download without a known session, so it is cancelled in every context.
      for (const id of this.#gates.keys()) this.#cancel(guid, id);
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
   * Delivers each message to the driver in its own task, as a pipe would. The driver listens to a new tab only after a
   * response, and would miss events that are delivered in the same task.
   */
  #deliver(session: string, message: object): void {
    this.#queue.push(session === '' ? message : { ...message, sessionId: session });
    if (this.#queue.length === 1) setImmediate(() => this.#deliverFirst());
  }

  #deliverFirst(): void {
    const [message] = this.#queue;
    if (message === undefined || this.#life.signal.aborted) return;
    try {
      this.transport.onmessage?.(message);
    } catch (error) {
      // If the driver throws, its sessions end, but not the service.
      this.#life.abort(error);
      this.transport.onclose?.('the driver failed');
    }
    // Removed only now, so that messages that arrived meanwhile are queued after it.
    this.#queue.shift();
    if (this.#queue.length > 0) setImmediate(() => this.#deliverFirst());
  }

  async #endWithBrowser(): Promise<void> {
    const reason = await this.#devtools.gone;
    this.#life.abort(reason);
    this.transport.onclose?.(reason.message);
  }
}

/** Ignores the error of cancelling a download that has already ended. */
function ignoreEndedDownload(): void {}
