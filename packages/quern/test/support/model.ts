import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { MODEL_LIMITS, type ModelLimits, createModelClient } from '#llm/client.ts';
import { startHttpServer } from '#testkit/servers.ts';

/** One response of a scripted model. */
export type Line =
  | { readonly text: string; readonly finish?: string }
  | {
      readonly calls: readonly { readonly name: string; readonly input: unknown }[];
      readonly text?: string;
      readonly finish?: string;
    }
  | { readonly refusal: string }
  | {
      readonly status: number;
      readonly said?: string;
      readonly param?: string;
      readonly code?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly raw: string }
  /** A response that never completes: byte by byte, silent, or cut off in the middle. */
  | { readonly fault: 'drips' | 'silent' | 'cut' | 'endless' };

const ModelRequest = z.object({
  model: z.string(),
  messages: z.array(z.object({ role: z.string(), content: z.unknown() }).loose()),
  tools: z
    .array(z.object({ function: z.object({ name: z.string(), parameters: z.unknown() }).loose() }).loose())
    .optional(),
  max_tokens: z.int().optional(),
  max_completion_tokens: z.int().optional(),
});

export type ModelRequest = z.output<typeof ModelRequest> & {
  readonly authorization: string | null;
  /** The whole body. */
  readonly text: string;
  /** The text of the messages. */
  readonly said: string;
};

const Said = z.union([
  z.string(),
  z.array(z.object({ text: z.string() })).transform((parts) => parts.map(({ text }) => text).join('\n')),
]);

export type Script = readonly Line[] | ((asked: ModelRequest, index: number) => Line | Promise<Line>);

/** An OpenAI-compatible server on a loopback port that responds with line after line and repeats the last one. */
export async function openScriptedModel(script: Script) {
  const asked: ModelRequest[] = [];
  const site = await startHttpServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const text = Buffer.concat(pieces).toString('utf8');
      const { authorization = null } = request.headers;
      const body = ModelRequest.parse(JSON.parse(text));
      const said = body.messages.map(({ content }) => Said.safeParse(content).data ?? '').join('\n');
      const one = { ...body, authorization, text, said };
      asked.push(one);
      const at = asked.length - 1;
      const line = typeof script === 'function' ? script(one, at) : (script[at] ?? script.at(-1));
      if (request.url !== '/v1/chat/completions' || line === undefined) response.writeHead(404).end();
      else void sayOnce(line, response);
    });
  });
  return {
    url: `${site.origin}/v1`,
    /** The requests, in order. */
    asked,
    [Symbol.asyncDispose]: site[Symbol.asyncDispose],
  };
}

/** Runs work with the real client on a scripted model. */
export async function withModel(
  script: Script,
  work: (parts: ModelParts) => Promise<void>,
  limits: Partial<ModelLimits> = {},
): Promise<void> {
  await using server = await openScriptedModel(script);
  const reported: string[] = [];
  const texts: string[] = [];
  const model = createModelClient({
    url: server.url,
    key: 'sk-key-of-the-operator',
    model: 'miller-1',
    contextTokens: 16_000,
    limits: { ...MODEL_LIMITS, retryWaitMs: 1, ...limits },
    random: () => 0.5,
    report: (message, facts) => reported.push(`${message} ${JSON.stringify(facts)}`),
    reportText: (message, facts) => texts.push(`${message} ${JSON.stringify(facts)}`),
  });
  try {
    await work({ model, asked: server.asked, reported, texts });
  } finally {
    await model.close();
  }
}

export type ModelParts = {
  readonly model: ReturnType<typeof createModelClient>;
  readonly asked: readonly ModelRequest[];
  readonly reported: readonly string[];
  /** Log entries that exist only at level `debug`. */
  readonly texts: readonly string[];
};

/** A script may be asynchronous. */
async function sayOnce(line: Line | Promise<Line>, response: ServerResponse): Promise<void> {
  say(await line, response);
}

function say(line: Line, response: ServerResponse): void {
  if ('fault' in line) return fail(line.fault, response);
  if ('status' in line) {
    response.writeHead(line.status, { 'content-type': 'application/json', ...line.headers });
    response.end(JSON.stringify({ error: { message: line.said ?? 'no', param: line.param, code: line.code } }));
    return;
  }
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end('raw' in line ? line.raw : JSON.stringify(toCompletion(line)));
}

function toCompletion(line: Exclude<Line, { status: number } | { raw: string } | { fault: string }>) {
  const calls = 'calls' in line ? line.calls : [];
  const message = {
    role: 'assistant',
    content: 'text' in line ? line.text : null,
    ...('refusal' in line ? { refusal: line.refusal } : {}),
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map(({ name, input }, at) => ({
            id: `call_${at}`,
            type: 'function',
            function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
          })),
        }),
  };
  const finish = 'finish' in line ? line.finish : calls.length > 0 ? 'tool_calls' : 'stop';
  return {
    id: 'x',
    object: 'chat.completion',
    created: 1,
    model: 'miller-1',
    choices: [{ index: 0, message, finish_reason: finish }],
    usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
  };
}

function fail(fault: 'drips' | 'silent' | 'cut' | 'endless', response: ServerResponse): void {
  if (fault === 'silent') return;
  response.writeHead(200, { 'content-type': 'application/json' });
  if (fault === 'cut') {
    response.write('{"choices": [');
    setTimeout(() => response.destroy(), 5);
    return;
  }
  const piece = fault === 'drips' ? ' ' : ' '.repeat(65_536);
  const timer = setInterval(() => response.write(piece), fault === 'drips' ? 10 : 1);
  response.on('close', () => clearInterval(timer));
}
