import { type IncomingMessage, request as openRequest, type ServerResponse } from 'node:http';
import { openSite } from '#testkit/servers.ts';

/** What becomes of a call: answered for the service, lost on the way there, or its answer lost on the way back. */
export type Fault =
  | { readonly status: number; readonly retryAfter: number | null; readonly code: string; readonly retryable: boolean }
  | 'lost'
  | 'answer lost';

/** A call that came by. */
export type Passed = {
  readonly method: string;
  readonly path: string;
  readonly key: string | null;
  readonly at: number;
  /** The answer's, null where there was none or the front made it. */
  readonly replayed: boolean | null;
};

/** A proxy before a service, which can be told to lose calls or to refuse them. */
export async function openFront(originOf: () => string) {
  const faults: Fault[] = [];
  const passed: Passed[] = [];

  const server = await openSite((request, response) => {
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
      refuse(response, fault);
      return;
    }
    forward(request, response, {
      origin: originOf(),
      isLost: fault === 'answer lost',
      note: (replayed) => passed.push({ ...call, replayed }),
    });
  });

  return {
    origin: server.origin,
    passed,
    /** What becomes of the next calls, one after the other. */
    plan: (...next: readonly Fault[]) => void faults.splice(0, faults.length, ...next),
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
  };
}

function refuse(response: ServerResponse, { status, retryAfter, code, retryable }: Exclude<Fault, string>): void {
  const diagnostics = { outcome: 'failed', retryable };
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(retryAfter === null ? {} : { 'retry-after': String(retryAfter) }),
  });
  response.end(JSON.stringify({ request_id: 'req_front', error: { code, message: 'the front refuses' }, diagnostics }));
}

type Way = { readonly origin: string; readonly isLost: boolean; readonly note: (replayed: boolean | null) => void };

function forward(request: IncomingMessage, response: ServerResponse, { origin, isLost, note }: Way): void {
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
