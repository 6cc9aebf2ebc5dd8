import { z } from 'zod';
import type { TargetSession } from '#access/browser/devtools.ts';
import type { EgressAccess } from '#access/browser/context.ts';
import { buildAuthResponse, type RequestHead } from '#access/browser/interception.ts';
import type { Downloads } from './downloads.ts';

/** The network rules of one browser context. */
export type ContextGate = {
  readonly egress: Pick<EgressAccess, 'username' | 'password'>;
  /** Checks a request for the main document of a page: returns its headers, or null to block it. */
  readonly checkRequest: (asking: RequestHead) => Readonly<Record<string, string>> | null;
  /** The files that its pages download. */
  readonly downloads: Pick<Downloads, 'folder' | 'noteRequest' | 'noteDocument' | 'noteStart' | 'noteProgress'>;
  /** Called when a frame navigated to a forbidden scheme; the session must end. */
  readonly onForbiddenScheme: (url: string) => void;
};

export type GuardedPageOptions = {
  readonly session: TargetSession;
  readonly gate: ContextGate;
  /** The id of the main frame; null for targets that are not pages. */
  readonly mainId: string | null;
  /** Ends commands that are under way. */
  readonly signal: AbortSignal;
};

const PausedRequest = z.object({
  requestId: z.string(),
  frameId: z.string(),
  resourceType: z.string(),
  networkId: z.string().optional(),
  request: z.object({ url: z.string(), headers: z.record(z.string(), z.string()) }),
});
const ContinuedRequest = z.object({ requestId: z.string() });
const FrameNavigated = z.object({ frame: z.object({ id: z.string(), url: z.string() }) });

/** Schemes that frames may have. Renderers block the others too, but this check does not rely on it. */
const ALLOWED_SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'about:', 'data:', 'blob:', 'chrome-error:']);

/** A page of another driver behind a gate: its requests are checked before the driver receives their events. */
export class GuardedPage {
  readonly #session: TargetSession;
  readonly #gate: ContextGate;
  readonly #mainId: string | null;
  readonly #signal: AbortSignal;
  /** Replacement headers of requests, by request id. */
  readonly #overrides = new Map<string, Readonly<Record<string, string>>>();
  /** Whether a main document was asked for; the first of a new tab may be under way before its network is watched. */
  #hasAsked = false;

  constructor({ session, gate, mainId, signal }: GuardedPageOptions) {
    this.#session = session;
    this.#gate = gate;
    this.#mainId = mainId;
    this.#signal = signal;
  }

  /** Whether the driver should receive an event. */
  isHeard(method: string, params: unknown): boolean {
    if (method === 'Page.frameNavigated') this.#onNavigated(params);
    if (method === 'Fetch.requestPaused') return this.#mayLeave(params);
    if (method !== 'Fetch.authRequired') return true;
    const { answer } = buildAuthResponse(this.#gate.egress, params);
    this.#session.send('Fetch.continueWithAuth', answer, this.#signal).catch(ignoreGonePage);
    return false;
  }

  /** The parameters of the driver's `Fetch.continueRequest`, with the headers of the gate. */
  toContinued(params: unknown): unknown {
    const { requestId } = ContinuedRequest.parse(params);
    const headers = this.#overrides.get(requestId);
    this.#overrides.delete(requestId);
    if (headers === undefined) return params;
    return { requestId, headers: toHeaderEntries(headers) };
  }

  /** Whether a request may be sent; blocks it otherwise, and the page stays unchanged. */
  #mayLeave(params: unknown): boolean {
    const { requestId, frameId, resourceType, networkId, request } = PausedRequest.parse(params);
    const isDocument = resourceType === 'Document';
    const isMain = isDocument && frameId === this.#mainId;
    // A download belongs to no document.
    const isSaved = isDocument && networkId === undefined && (this.#hasAsked || !isMain);
    if (isMain) this.#hasAsked = true;
    // Downloads follow the rules of pages, so that no page can bypass them as a download.
    const isMade = isSaved && /^(?:blob|data):/.test(request.url);
    const headers = (isMain || isSaved) && !isMade ? this.#gate.checkRequest(request) : request.headers;
    if (isSaved && headers !== null) {
      this.#gate.downloads.noteRequest(frameId);
      this.#session
        .send('Fetch.continueRequest', { requestId, headers: toHeaderEntries(headers) }, this.#signal)
        .catch(ignoreGonePage);
      return false;
    }
    if (headers === null) {
      this.#session
        .send('Fetch.failRequest', { requestId, errorReason: 'Aborted' }, this.#signal)
        .catch(ignoreGonePage);
      // The driver counts the requests that it has heard of, and their ends come from the network.
      return !isSaved;
    }
    if (isDocument) this.#gate.downloads.noteRequest(frameId);
    if (headers !== request.headers) this.#overrides.set(requestId, headers);
    return true;
  }

  #onNavigated(params: unknown): void {
    const { id, url } = FrameNavigated.parse(params).frame;
    this.#gate.downloads.noteDocument(id);
    const scheme = URL.parse(url)?.protocol;
    if (scheme !== undefined && !ALLOWED_SCHEMES.has(scheme)) this.#gate.onForbiddenScheme(url);
  }
}

function toHeaderEntries(headers: Readonly<Record<string, string>>) {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

/** Ignores errors of a page that is gone: the session reports it. */
function ignoreGonePage(): void {}
