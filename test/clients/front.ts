import { type IncomingMessage, request as openRequest, type ServerResponse } from 'node:http';
import { startHttpServer } from '#testkit/servers.ts';

/** A fault: respond instead of the service, lose the request, or lose the response. */
export type FrontFault =
  | { readonly status: number; readonly retryAfter: number | null; readonly code: string; readonly retryable: boolean }
  | 'lost'
  | 'answer lost';

/** A forwarded call. */
export type ForwardedRequest = {
  readonly method: string;
  readonly path: string;
  readonly key: string | null;
  readonly at: number;
  /** The value of the response, null without one or if the front created it. */
  readonly replayed: boolean | null;
};

/** A proxy in front of a service that can lose or reject calls. */
export async function startFrontProxy(originOf: () => string) {
  const faults: FrontFault[] = [];
  const passed: ForwardedRequest[] = [];

  const server = await startHttpServer((request, response) => {
    const { method = 'GET', url: path = '/', headers } = request;
    const key = headers['idempotency-key'];
    const call = { method, path, key: typeof key === 'string' ? key : null, at: Date.now() };
    const fault = faults.shift();
    if (fault === 'lost') {
      passed.push({ ...call, replayed: null });
      request.socket.destroy();
      return;
    }
    if (fault !== undefined && fault !== 'answer lost') {
      passed.push({ ...call, replayed: null });
      sendRefusal(response, fault);
      return;
    }
    forwardRequest(request, response, {
      origin: originOf(),
      isLost: fault === 'answer lost',
      note: (replayed) => passed.push({ ...call, replayed }),
    });
  });

  return {
    origin: server.origin,
    passed,
    /** The faults of the next calls, in order. */
    plan: (...next: readonly FrontFault[]) => void faults.splice(0, faults.length, ...next),
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
  };
}

function sendRefusal(
  response: ServerResponse,
  { status, retryAfter, code, retryable }: Exclude<FrontFault, string>,
): void {
  const diagnostics = { outcome: 'failed', retryable };
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(retryAfter === null ? {} : { 'retry-after': String(retryAfter) }),
  });
  response.end(JSON.stringify({ request_id: 'req_front', error: { code, message: 'the front refuses' }, diagnostics }));
}

type ForwardTarget = {
  readonly origin: string;
  readonly isLost: boolean;
  readonly note: (replayed: boolean | null) => void;
};

function forwardRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { origin, isLost, note }: ForwardTarget,
): void {
  const { method, url, headers } = request;
  const onward = openRequest(`${origin}${url}`, { method, headers: { ...headers, host: new URL(origin).host } });
  onward.on('response', (answer) => {
    note(answer.headers['idempotent-replayed'] === 'true');
    if (isLost) {
      answer.resume().once('end', () => request.socket.destroy());
      return;
    }
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.on('error', () => response.destroy());
    answer.pipe(response);
  });
  onward.on('error', () => {
    note(null);
    request.socket.destroy();
  });
  response.once('close', () => onward.destroy());
  request.pipe(onward);
}
