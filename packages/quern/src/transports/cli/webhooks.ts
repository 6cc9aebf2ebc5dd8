import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { ServiceError } from '#kernel/errors.ts';
import { createServer } from '#kernel/node-http.ts';
import type { RunAdministration } from './administration.ts';
import { EXIT } from './exit.ts';
import type { Terminal } from './context.ts';
import { getFlag, type CommandArguments, hasFlag, listFlagValues } from './spec.ts';

const MAX_BODY_BYTES = 1_048_576;
const REQUEST_TIMEOUT_MS = 15_000;
/** Longer header values are cut. */
const MAX_SHOWN_CHARS = 200;

type ListenOptions = { readonly port: number; readonly secrets: readonly string[]; readonly isJson: boolean };

/** `quern webhooks listen`: receives events on this machine, verifies and prints them, until interrupted. */
export function createWebhooksCommand(interrupted: () => AbortSignal): RunAdministration {
  return async (args, terminal) => {
    const options = readListenOptions(args);
    const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
      void handleEvent(request, response, { ...options, terminal });
    });
    const port = await listen(server, options.port);
    terminal.note(`quern: listening on http://127.0.0.1:${port}/ (the service needs QUERN_ALLOW_TARGETS=127.0.0.1)`);
    if (options.secrets.length === 0) terminal.note('quern: without --secret, events cannot be verified');
    const signal = interrupted();
    if (!signal.aborted) await once(signal, 'abort');
    server.close();
    server.closeAllConnections();
    return EXIT.ok;
  };
}

function readListenOptions(args: CommandArguments): ListenOptions {
  const port = getFlag(args, 'port') ?? '0';
  const secrets = listFlagValues(args.flags, 'secret');
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new ServiceError('invalid_request', 'port: must be a whole number from 0 to 65535');
  }
  for (const secret of secrets) {
    if (!/^whsec_[A-Za-z0-9+/=]+$/.test(secret))
      throw new ServiceError('invalid_request', 'secret: must begin with whsec_');
  }
  return { port: Number(port), secrets, isJson: hasFlag(args, 'json') };
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch((error: unknown) => {
    throw new ServiceError('invalid_request', `port: cannot listen on ${port}`, { cause: error });
  });
  const address = server.address();
  return address === null || typeof address === 'string' ? port : address.port;
}

type ReceiveContext = Omit<ListenOptions, 'port'> & { readonly terminal: Terminal };

/** Prints an event. Responds 204 if it is verified or no secret is set, 401 if the signature is wrong. */
async function handleEvent(
  request: IncomingMessage,
  response: ServerResponse,
  { secrets, isJson, terminal }: ReceiveContext,
) {
  const body = await readBody(request).catch(() => null);
  if (body === null) {
    response.writeHead(413, { connection: 'close' }).end();
    return;
  }
  const word = (name: string): string => stripControls(request.headers[name]);
  const isVerified = secrets.some((secret) => isSigned(secret, request, body));
  const facts = {
    verified: isVerified,
    type: word('webhook-event'),
    id: word('webhook-id'),
    attempt: word('webhook-attempt'),
  };
  if (isJson) {
    terminal.out(`${JSON.stringify({ ...facts, body })}\n`);
  } else {
    const state = isVerified ? 'verified' : 'unverified';
    terminal.out(`${state.padEnd(10)} ${facts.type} ${facts.id} attempt ${facts.attempt}\n`);
    terminal.out(`${stripControls(body, MAX_BODY_BYTES)}\n`);
  }
  response.writeHead(isVerified || secrets.length === 0 ? 204 : 401).end();
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const piece = Buffer.from(chunk);
    bytes += piece.length;
    if (bytes > MAX_BODY_BYTES) throw new Error('the body is too large');
    chunks.push(piece);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function isSigned(secret: string, { headers }: IncomingMessage, body: string): boolean {
  const pick = (name: string): string => String(headers[name] ?? '');
  try {
    new Webhook(secret).verify(
      body,
      {
        'webhook-id': pick('webhook-id'),
        'webhook-timestamp': pick('webhook-timestamp'),
        'webhook-signature': pick('webhook-signature'),
      },
      { jsonParse: false },
    );
    return true;
  } catch {
    return false;
  }
}

/** Removes control characters from received text, and cuts it. */
function stripControls(text: string | readonly string[] | undefined, most = MAX_SHOWN_CHARS): string {
  const plain = String(text ?? '-').replaceAll(/[\p{Cc}\p{Cf}]/gu, '');
  return plain.slice(0, most);
}
