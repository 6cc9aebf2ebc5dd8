import { setMaxListeners } from 'node:events';
import { z } from 'zod';
import type { DevTools, Message, TargetSession } from '#access/browser/devtools.ts';
import type { Exit } from '#access/browser/exit.ts';
import { answerChallenge } from '#access/browser/interception.ts';
import type { RequestHead } from '#access/browser/interception.ts';

/** What stands between one context of a browser and the network. */
export type Gate = {
  readonly exit: Pick<Exit, 'username' | 'password'>;
  /** What becomes of a request for the main document of a page: all of its headers, or null where it may not leave. */
  readonly pass: (asking: RequestHead) => Readonly<Record<string, string>> | null;
  /** Told where a frame went to an address that none can be at; the session must end. */
  readonly onStray: (url: string) => void;
};

/** The end of a driver's conversation with a browser, as patchright wants it. */
export type Transport = {
  send(message: object): void;
  close(): void;
  onmessage?: (message: object) => void;
  onclose?: (reason?: string) => void;
};

export type Bridge = {
  readonly transport: Transport;
  /** Sets the gate of the context that the driver makes next. */
  readonly expect: (gate: Gate) => void;
};

const Command = z.object({
  id: z.number(),
  method: z.string(),
  params: z.unknown(),
  sessionId: z.string().optional(),
});
const Context = z.object({ browserContextId: z.string() });
const Attached = z.object({
  sessionId: z.string(),
  targetInfo: z.object({ targetId: z.string(), type: z.string(), browserContextId: z.string().optional() }),
});
const Paused = z.object({
  requestId: z.string(),
  frameId: z.string(),
  resourceType: z.string(),
  networkId: z.string().optional(),
  request: z.object({ url: z.string(), headers: z.record(z.string(), z.string()) }),
});
const Detached = z.object({ sessionId: z.string() });
const Continued = z.object({ requestId: z.string() });
const Navigated = z.object({ frame: z.object({ url: z.string() }) });

/** Where a frame may be; renderers refuse the rest by themselves, and this does not rely on it. */
const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'about:', 'data:', 'blob:', 'chrome-error:']);

/**
 * Lets another driver speak with a browser of ours, and stands between its pages and the network: the question of the
 * egress proxy is answered with the pass of their context, and a main document that its gate does not let pass never
 * leaves. The driver has `Fetch` enabled for every request, and hears of those that may leave.
 */
export function openBridge(devtools: DevTools): Bridge {
  const gates = new Map<string, Gate>();
  const expected: Gate[] = [];
  const making = new Map<number, Gate>();
  const guarded = new Map<string, Guarded>();
  const waiting: object[] = [];
  const life = new AbortController();
  setMaxListeners(0, life.signal);

  function onAttached(params: unknown): void {
    const { sessionId, targetInfo } = Attached.parse(params);
    const gate = gates.get(targetInfo.browserContextId ?? '');
    if (gate === undefined) return;
    const mainId = targetInfo.type === 'page' ? targetInfo.targetId : null;
    guarded.set(sessionId, {
      session: devtools.session(sessionId),
      gate,
      mainId,
      overrides: new Map(),
      hasAsked: false,
    });
  }

  /** Whether an event is for the driver too. */
  function isHeard(session: string, method: string, params: unknown): boolean {
    if (method === 'Target.attachedToTarget') onAttached(params);
    if (method === 'Target.detachedFromTarget') guarded.delete(Detached.parse(params).sessionId);
    const page = guarded.get(session);
    if (page === undefined) return method !== 'Fetch.requestPaused' && method !== 'Fetch.authRequired';
    if (method === 'Page.frameNavigated') look(page.gate, params);
    if (method === 'Fetch.requestPaused') return mayLeave(page, params, life.signal);
    if (method !== 'Fetch.authRequired') return true;
    const { answer } = answerChallenge(page.gate.exit, params);
    page.session.send('Fetch.continueWithAuth', answer, life.signal).catch(ignore);
    return false;
  }

  function tell({ id, method, session, params, result, error, errorCode: code }: Message): void {
    if (id !== null) {
      const gate = making.get(id);
      making.delete(id);
      if (gate !== undefined && error === null) gates.set(Context.parse(result).browserContextId, gate);
      deliver(session, error === null ? { id, result } : { id, error: { code, message: error } });
      return;
    }
    if (method !== null && isHeard(session, method, params)) deliver(session, { method, params });
  }

  /**
   * The driver hears each message in a task of its own, as from a pipe of its own: it listens to a new tab only after an
   * answer, and would miss what comes in one piece with that.
   */
  function deliver(session: string, message: object): void {
    waiting.push(session === '' ? message : { ...message, sessionId: session });
    if (waiting.length === 1) setImmediate(deliverFirst);
  }

  function deliverFirst(): void {
    const [message] = waiting;
    if (message === undefined || life.signal.aborted) return;
    try {
      transport.onmessage?.(message);
    } catch (error) {
      // What the driver cannot make sense of ends its sessions, and not the service.
      life.abort(error);
      transport.onclose?.('the driver failed');
    }
    // What came meanwhile stands behind it.
    waiting.shift();
    if (waiting.length > 0) setImmediate(deliverFirst);
  }

  const relay = devtools.relay(tell);
  const transport: Transport = {
    send(message) {
      const { id, method, params, sessionId = '' } = Command.parse(message);
      const gate = method === 'Target.createBrowserContext' ? expected.shift() : undefined;
      if (gate !== undefined) making.set(id, gate);
      if (method === 'Target.disposeBrowserContext') gates.delete(Context.parse(params).browserContextId);
      const page = method === 'Fetch.continueRequest' ? guarded.get(sessionId) : undefined;
      relay({ id, session: sessionId, method, params: page === undefined ? params : withOverride(page, params) });
    },
    close: () => life.abort(),
  };

  async function follow(): Promise<void> {
    const reason = await devtools.gone;
    life.abort(reason);
    transport.onclose?.(reason.message);
  }
  void follow();
  return { transport, expect: (gate) => void expected.push(gate) };
}

type Guarded = {
  readonly session: TargetSession;
  readonly gate: Gate;
  /** The id of the main frame; null of what is no page. */
  readonly mainId: string | null;
  /** The headers with which requests are to leave, by their ids. */
  readonly overrides: Map<string, Readonly<Record<string, string>>>;
  /** Whether a main document was asked for; the first of a new tab may be under way before its network is watched. */
  hasAsked: boolean;
};

/** Whether a request may leave; one that may not is stopped here, and the page stays as it is. */
function mayLeave(page: Guarded, params: unknown, signal: AbortSignal): boolean {
  const { session, gate, overrides } = page;
  const { requestId, frameId, resourceType, networkId, request } = Paused.parse(params);
  const isDocument = resourceType === 'Document';
  const isMain = isDocument && frameId === page.mainId;
  // What is to be saved as a file belongs to no document.
  const isSaved = isDocument && networkId === undefined && (page.hasAsked || !isMain);
  if (isMain) page.hasAsked = true;
  const headers = isMain && !isSaved ? gate.pass(request) : request.headers;
  if (headers === null || isSaved) {
    session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' }, signal).catch(ignore);
    // The driver counts what it was told of, and hears of its end from the network.
    return !isSaved;
  }
  if (headers !== request.headers) overrides.set(requestId, headers);
  return true;
}

function withOverride({ overrides }: Guarded, params: unknown): unknown {
  const { requestId } = Continued.parse(params);
  const headers = overrides.get(requestId);
  overrides.delete(requestId);
  return headers === undefined ? params : { requestId, ...toOverride(headers) };
}

function look(gate: Gate, params: unknown): void {
  const { url } = Navigated.parse(params).frame;
  const scheme = URL.parse(url)?.protocol;
  if (scheme !== undefined && !SCHEMES.has(scheme)) gate.onStray(url);
}

function toOverride(headers: Readonly<Record<string, string>>) {
  return { headers: Object.entries(headers).map(([name, value]) => ({ name, value })) };
}

/** What is gone is told where the session ends. */
function ignore(): void {}
