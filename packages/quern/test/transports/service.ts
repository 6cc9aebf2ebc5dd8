import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { z } from 'zod';
import { buildInputChecker } from '#engine/call/validation.ts';
import type { Caller } from '#engine/identity/caller.ts';
import { declareControl, declareWork, type Operation } from '#engine/call/operation.ts';
import type { Answer, CallRequest, PerformOperation } from '#engine/call/ask.ts';
import { READS_OWN } from '#engine/call/tool-view.ts';
import type { Usage } from '#engine/credits/prices.ts';
import { createLocalRates } from '#engine/identity/rates.ts';
import { loadPlans, type Plan } from '#engine/identity/plans.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { newId } from '#kernel/ids.ts';
import { type ServerParts, TIMEOUTS } from '#transports/http/server-parts.ts';
import { createServer } from '#transports/http/server.ts';

export const KEY = 'qk_0123456789abcdefghjkmnpqrstvwxyz';

const fetchPage = declareWork({
  id: 'fetch',
  route: 'POST /v1/fetch',
  summary: 'Retrieve one URL in the requested formats',
  plan: 'free',
  price: { base: 2, cacheHit: 1, perTier: true },
  errors: ['target_blocked', 'target_unreachable', 'timeout'],
  input: z.strictObject({
    url: z.url().max(8192).describe('the page to retrieve'),
    output: z
      .array(z.enum(['markdown', 'text', 'links']))
      .default(['markdown'])
      .describe('what to answer'),
    proxy: z.enum(['basic', 'auto', 'stealth']).optional(),
    use_proxy: z.boolean().optional().meta({ deprecated: true, description: 'alias of proxy stealth' }),
    timeout_ms: z.int().min(1000).max(300_000).optional(),
    extract: z.strictObject({ fields: z.record(z.string(), z.unknown()) }).optional(),
  }),
  output: z.object({ url: z.string(), markdown: z.string().optional() }),
  example: { url: 'https://example.com/', output: ['markdown'] },
});

const usage = declareControl({
  id: 'usage',
  route: 'GET /v1/usage',
  summary: 'Credits of the running month',
  errors: [],
  input: z.strictObject({}),
  output: z.object({ plan: z.string() }),
  example: {},
  agent: {
    tool: { name: 'usage', title: 'Usage', task: 'credits', about: 'Use this to see credits.', hints: READS_OWN },
  },
});

const requests = declareControl({
  id: 'requests',
  route: 'GET /v1/requests',
  summary: 'The latest requests',
  errors: [],
  input: z.strictObject({
    id: z.string().max(40).optional(),
    limit: z.int().min(1).max(100).default(25),
    fresh: z.boolean().optional(),
    ratio: z.number().optional(),
    operation: z.array(z.enum(['fetch', 'crawl'])).optional(),
    tag: z.array(z.string()).optional(),
    filter: z.strictObject({ status: z.int() }).optional(),
  }),
  output: z.record(z.string(), z.unknown()),
  example: { limit: 5, operation: ['fetch'] },
});

const requestById = declareControl({
  id: 'request',
  route: 'GET /v1/requests/{request_id}',
  summary: 'One request',
  errors: ['not_found'],
  input: z.strictObject({ request_id: z.string().min(1).max(60) }),
  output: z.object({ id: z.string() }),
  example: { request_id: 'req_0' },
});

export const OPERATIONS: readonly Operation[] = [fetchPage, usage, requests, requestById];

/** One logged line. */
export type Line = Readonly<Record<string, unknown>>;

export type Service = {
  readonly url: string;
  readonly port: number;
  readonly lines: readonly Line[];
  readonly asks: readonly CallRequest[];
  readonly performed: readonly string[];
  readonly drain: () => void;
  readonly close: () => Promise<void>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
};

/** A caller of the test plan. */
export function callerWith(plan: Plan, keyId = 'key_1'): Caller {
  return { tenant: 'ten_1', keyId, plan };
}

/** A response with status 200 and a body. */
export const PLAIN = { status: 200, headers: {}, stream: null };

/** A gate without credits, deadlines or a store: it validates and returns the raw input. */
async function performPlainly(operation: Operation, raw: unknown, { requestId }: CallRequest): Promise<Answer> {
  const body = { request_id: requestId, input: raw };
  const { deprecated } = buildInputChecker(operation)(raw);
  if (operation.kind === 'control') {
    return { ...PLAIN, body, usage: null, remaining: 98, deprecated: [] };
  }
  const used: Usage = { credits: 2, base: 2, surcharge: 0, tier: 'http' };
  return { ...PLAIN, body: { ...body, usage: used }, usage: used, remaining: 98, deprecated };
}

type Options = Partial<Omit<ServerParts, 'log' | 'draining'>>;

/** A listening server built as in the service; every part can be replaced. */
export async function startService(options: Options = {}): Promise<Service> {
  const lines: Line[] = [];
  const asks: CallRequest[] = [];
  const performed: string[] = [];
  const draining = new AbortController();
  const perform: PerformOperation = options.perform ?? performPlainly;
  const server = await createServer({
    clock: SYSTEM_CLOCK,
    version: '0.0.0',
    operations: OPERATIONS,
    unrouted: [],
    findCaller: async (key) => (key === KEY ? callerWith(loadPlans(null).unlimited) : null),
    consoleParts: null,
    compat: null,
    remaining: async () => 77,
    rates: createLocalRates(),
    newRequestId: () => newId('req', 0),
    findObstacles: async () => [],
    depthHeader: 'x-quern-depth',
    metricsToken: null,
    corsOrigins: [],
    trustProxy: [],
    timeouts: TIMEOUTS,
    readings: [],
    ...options,
    log: pino({ level: 'debug' }, { write: (line: string) => void lines.push(JSON.parse(line)) }),
    draining: draining.signal,
    async perform(operation, raw, ask) {
      asks.push(ask);
      performed.push(operation.id);
      return perform(operation, raw, ask);
    },
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  const address = server.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    lines,
    asks,
    performed,
    drain: () => draining.abort(),
    close: async () => server.close(),
    [Symbol.asyncDispose]: async () => {
      server.server.closeAllConnections();
      await server.close();
    },
  };
}

/** The plan `unlimited` with another request rate. */
export function planWithRate(requestsPerMinute: number): Plan {
  return { ...loadPlans(null).starter, requests_per_minute: requestsPerMinute };
}

type Init = {
  readonly method?: string;
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
};

export type Reply = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Body;
};

/** Far longer than any response takes, even on a busy machine. */
const PATIENCE_MS = 60_000;

const Body = z.looseObject({
  request_id: z.string().optional(),
  error: z.strictObject({ code: z.string(), message: z.string() }).optional(),
  diagnostics: z.unknown().optional(),
  usage: z.unknown().optional(),
  input: z.unknown().optional(),
});
type Body = z.output<typeof Body>;

/** One request with the test key; a body makes it a JSON POST. */
export async function call(url: string, { method, key = KEY, headers = {}, body }: Init = {}): Promise<Reply> {
  const response = await fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true && text !== '';
  return { status: response.status, headers: response.headers, text, body: isJson ? Body.parse(JSON.parse(text)) : {} };
}

export type RawReply = {
  readonly status: number;
  readonly head: string;
  readonly body: Body;
  readonly closed: boolean;
};

/** Writes bytes to a socket and reads until the server closes it or, on a kept-alive connection, the response is complete. */
export async function sendRaw(port: number, request: string | Buffer): Promise<RawReply> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Uint8Array[] = [];
  let closed = false;
  const ended = new Promise<void>((resolve) => {
    socket.on('data', (chunk) => {
      chunks.push(Buffer.from(chunk));
      if (isOver(Buffer.concat(chunks).toString())) resolve();
    });
    socket.on('close', () => {
      closed = true;
      resolve();
    });
    socket.on('error', () => resolve());
  });
  socket.write(request);
  await Promise.race([ended, wait(PATIENCE_MS, null, { ref: false })]);
  socket.destroy();
  const [head = '', body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n', 2);
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0);
  return { status, head, body: body.startsWith('{') ? Body.parse(JSON.parse(body)) : {}, closed };
}

/** Whether a response is complete without the close of the connection. */
function isOver(text: string): boolean {
  const [head = '', body = ''] = text.split('\r\n\r\n', 2);
  const length = /content-length: (\d+)/i.exec(head)?.[1];
  const closes = /connection: close/i.test(head);
  return !closes && length !== undefined && Buffer.byteLength(body) >= Number(length);
}

/** The code of an error response; fails if the body is not exactly an error body. */
export function getErrorCode({ body }: { readonly body: Body }): string {
  if (body.error === undefined) throw new Error(`not an error body: ${JSON.stringify(body)}`);
  const extra = Object.keys(body).filter((name) => !['request_id', 'error', 'diagnostics'].includes(name));
  if (extra.length > 0) throw new Error(`unexpected members ${extra.join(', ')}`);
  return body.error.code;
}
