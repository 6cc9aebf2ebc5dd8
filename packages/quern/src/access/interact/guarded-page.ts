import { z } from 'zod';
import type { TargetSession } from '#access/browser/devtools.ts';
import type { EgressAccess } from '#access/browser/context.ts';
import { buildAuthResponse, type RequestHead } from '#access/browser/interception.ts';
import type { Downloads } from './downloads.ts';

/** The rules between one context of a browser and the network. */
export type ContextGate = {
  readonly egress: Pick<EgressAccess, 'username' | 'password'>;
  /** Decides on a request for the main document of a page: all of its headers, or null where it may not leave. */
  readonly checkRequest: (asking: RequestHead) => Readonly<Record<string, string>> | null;
  /** The files that its pages download. */
  readonly downloads: Pick<Downloads, 'folder' | 'noteRequest' | 'noteDocument' | 'noteStart' | 'noteProgress'>;
  /** Called where a frame went to an address of a scheme that pages do not have; the session must end. */
  readonly onForbiddenScheme: (url: string) => void;
};

export type GuardedPageOptions = {
  readonly session: TargetSession;
  readonly gate: ContextGate;
  /** The id of the main frame; null for a target that is no page. */
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

/** The schemes that frames may have; renderers refuse the others as well, and this does not rely on it. */
const ALLOWED_SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'about:', 'data:', 'blob:', 'chrome-error:']);

/** A page of another driver behind a gate: its requests are checked before the driver hears of them. */
export class GuardedPage {
  readonly #session: TargetSession;
  readonly #gate: ContextGate;
  readonly #mainId: string | null;
  readonly #signal: AbortSignal;
  /** The headers with which requests are to leave, by their ids. */
  readonly #overrides = new Map<string, Readonly<Record<string, string>>>();
  /** Whether a main document was asked for; the first of a new tab may be under way before its network is watched. */
  #hasAsked = false;

  constructor({ session, gate, mainId, signal }: GuardedPageOptions) {
    this.#session = session;
    this.#gate = gate;
    this.#mainId = mainId;
    this.#signal = signal;
  }

  /** Whether an event is for the driver too. */
  isHeard(method: string, params: unknown): boolean {
    if (method === 'Page.frameNavigated') this.#onNavigated(params);
    if (method === 'Fetch.requestPaused') return this.#mayLeave(params);
    if (method !== 'Fetch.authRequired') return true;
    const { answer } = buildAuthResponse(this.#gate.egress, params);
    this.#session.send('Fetch.continueWithAuth', answer, this.#signal).catch(ignoreGonePage);
    return false;
  }

  /** The parameters of the driver's `Fetch.continueRequest`, with the headers that the gate wants. */
  toContinued(params: unknown): unknown {
    const { requestId } = ContinuedRequest.parse(params);
    const headers = this.#overrides.get(requestId);
    this.#overrides.delete(requestId);
    if (headers === undefined) return params;
    return { requestId, headers: toHeaderEntries(headers) };
  }

  /** Whether a request may leave; one that may not is stopped here, and the page stays as it is. */
  #mayLeave(params: unknown): boolean {
    const { requestId, frameId, resourceType, networkId, request } = PausedRequest.parse(params);
    const isDocument = resourceType === 'Document';
    const isMain = isDocument && frameId === this.#mainId;
    // A download belongs to no document.
    const isSaved = isDocument && networkId === undefined && (this.#hasAsked || !isMain);
    if (isMain) this.#hasAsked = true;
    // Whatever is taken for a download keeps to the rules of pages, so that no page passes as one.
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

/** A page that is gone ends its session, which tells of it. */
function ignoreGonePage(): void {}
