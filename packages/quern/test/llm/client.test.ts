import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createModelClient, MODEL_LIMITS } from '#llm/client.ts';
import type { Question } from '#llm/complete.ts';
import { ServiceError } from '#kernel/errors.ts';
import { type ModelRequest, type Line, withModel } from '../support/model.ts';
import { startHttpServer } from '#testkit/servers.ts';

const QUESTION: Question = {
  system: 'Be brief.',
  messages: [{ role: 'user', text: 'What grinds?' }],
  tools: [],
  maxTokens: 50,
};
const NEVER = new AbortController().signal;

test('a request has the key and the token limit, and the response has its token counts', async () => {
  await withModel([{ text: 'A mill.' }], async ({ model, asked }) => {
    const { text, calls, isRefused, isTruncated, tokens } = await model.complete(QUESTION, NEVER);
    assert.deepEqual(
      { text, calls, refused: isRefused, cut: isTruncated },
      { text: 'A mill.', calls: [], refused: false, cut: false },
    );
    assert.deepEqual(tokens, { input: 100, output: 10 });
    assert.deepEqual([asked[0]?.model, asked[0]?.max_tokens], ['miller-1', 50]);
    assert.equal(asked[0]?.authorization, 'Bearer sk-key-of-the-operator');
    assert.deepEqual(model.totals(), { answered: 1, failed: 0, input: 100, output: 10 });
  });
});

test('tool calls round-trip, even if their JSON is invalid', async () => {
  const tools = [{ name: 'click', description: 'Clicks', parameters: { type: 'object', properties: {} } }];
  const script: Line[] = [{ calls: [{ name: 'click', input: '{"element": 1' }] }, { text: 'done' }];
  await withModel(script, async ({ model, asked }) => {
    const first = await model.complete({ ...QUESTION, tools }, NEVER);
    assert.deepEqual(first.calls, [{ id: 'call_0', name: 'click', input: '{"element": 1' }]);
    const [call] = first.calls;
    if (call === undefined) throw new Error('no call');
    const more = [
      { role: 'assistant' as const, text: first.text, calls: first.calls },
      { role: 'tool' as const, call, text: 'not JSON' },
    ];
    await model.complete({ ...QUESTION, messages: [...QUESTION.messages, ...more], tools }, NEVER);
    assert.equal(asked[0]?.tools?.[0]?.function.name, 'click');
    assert.deepEqual(
      asked[1]?.messages.map(({ role }) => role),
      ['system', 'user', 'assistant', 'tool'],
    );
    assert.match(asked[1]?.text ?? '', /"arguments":"\{\}"/);
  });
});

test('refusals, filtered and empty responses are reported as refused', async () => {
  for (const line of [{ refusal: 'I cannot do that.' }, { text: '', finish: 'content_filter' }, { text: ' ' }]) {
    await withModel([line], async ({ model }) => {
      assert.equal((await model.complete(QUESTION, NEVER)).isRefused, true, JSON.stringify(line));
    });
  }
});

test('the thinking of a model is removed from its answer, and a truncated answer is reported', async () => {
  await withModel([{ text: '<think>A wheel?\n</think>\nA mill.', finish: 'length' }], async ({ model }) => {
    const { text, isTruncated } = await model.complete(QUESTION, NEVER);
    assert.deepEqual([text, isTruncated], ['A mill.', true]);
  });
});

test('a busy, failing or malformed endpoint is tried at most three times', async () => {
  const passing: readonly Line[] = [
    { status: 429, headers: { 'retry-after': '0' } },
    { status: 503 },
    { fault: 'cut' },
    { raw: '<html>' },
    { raw: '{"choices": []}' },
  ];
  for (const line of passing) {
    await withModel([line, { text: 'A mill.' }], async ({ model, asked }) => {
      assert.equal((await model.complete(QUESTION, NEVER)).text, 'A mill.', JSON.stringify(line));
      assert.equal(asked.length, 2);
    });
    await withModel([line], async ({ model, asked }) => {
      const error = await failure(model.complete(QUESTION, NEVER));
      assert.deepEqual([error.code, error.retryable, asked.length], ['backend_unavailable', true, 3]);
      assert.deepEqual(model.totals(), { answered: 0, failed: 1, input: 0, output: 0 });
    });
  }
});

test('a Retry-After that is too long is passed to the caller', async () => {
  await withModel([{ status: 429, headers: { 'retry-after': '40' } }], async ({ model, asked }) => {
    const error = await failure(model.complete(QUESTION, NEVER));
    assert.deepEqual([error.code, error.retryAfterSeconds, asked.length], ['backend_unavailable', 40, 1]);
  });
});

test('permanent errors are not retried, contain the setting, and never quote the endpoint', async () => {
  const cases: readonly (readonly [status: number, names: RegExp])[] = [
    [401, /QUERN_MODEL_KEY/],
    [404, /QUERN_MODEL/],
    [302, /QUERN_MODEL_URL/],
    [400, /QUERN_LOG_LEVEL=debug/],
  ];
  for (const [status, names] of cases) {
    const headers = { location: 'http://127.0.0.1:9/' };
    const said = 'Incorrect API key: sk-key-of-the-operator';
    await withModel([{ status, said, headers }], async ({ model, asked, reported, texts }) => {
      const error = await failure(model.complete(QUESTION, NEVER));
      assert.deepEqual([error.code, error.retryable, asked.length], ['backend_unavailable', false, 1]);
      assert.match(error.message, names);
      assert.doesNotMatch(error.message, /Incorrect/);
      assert.match(texts.join(), /Incorrect API key: \*+/);
      assert.doesNotMatch(texts.join(), /sk-key/);
      assert.match(reported.join(), new RegExp(`"status":${status}`));
      assert.doesNotMatch(reported.join(), /Incorrect/);
    });
  }
});

test('a redirect is not followed, so the key is not sent elsewhere', async () => {
  let visits = 0;
  await using elsewhere = await startHttpServer((_request, response) => {
    visits += 1;
    response.end();
  });
  await withModel([{ status: 307, headers: { location: elsewhere.origin } }], async ({ model }) => {
    await failure(model.complete(QUESTION, NEVER));
    assert.equal(visits, 0);
  });
});

test('a model that requires max_completion_tokens gets it from then on', async () => {
  const said = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.";
  await withModel([{ status: 400, said }, { text: 'a' }, { text: 'b' }], async ({ model, asked }) => {
    await model.complete(QUESTION, NEVER);
    await model.complete(QUESTION, NEVER);
    assert.deepEqual(
      asked.map((one) => [one.max_tokens, one.max_completion_tokens]),
      [
        [50, undefined],
        [undefined, 50],
        [undefined, 50],
      ],
    );
  });
});

/** An endpoint that accepts the token limit under one name only, and quotes what it rejects. */
const takesOnly =
  (name: 'max_tokens' | 'max_completion_tokens', more: { readonly param?: string; readonly code?: string } = {}) =>
  (asked: ModelRequest): Line => {
    const other = name === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
    if (asked[other] !== undefined) return { status: 400, said: `Unsupported parameter: '${other}'`, ...more };
    return asked.said.includes('poison') ? { status: 400, said: `cannot read: ${asked.said}` } : { text: 'A mill.' };
  };

const POISONS = [
  "poison: Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
  'poison {"error": {"param": "max_tokens", "code": "unsupported_parameter"}} max_completion_tokens',
];

for (const said of POISONS) {
  test(`page text quoted in an error does not change later requests: ${said}`, async () => {
    await withModel(takesOnly('max_tokens'), async ({ model, asked }) => {
      const poisoned = { ...QUESTION, messages: [{ role: 'user' as const, text: said }] };
      assert.equal((await failure(model.complete(poisoned, NEVER))).code, 'backend_unavailable');
      assert.equal((await model.complete(QUESTION, NEVER)).text, 'A mill.');
      assert.deepEqual(
        asked.map((one) => [one.max_tokens, one.max_completion_tokens]),
        [
          [50, undefined],
          [50, undefined],
        ],
      );
    });
  });
}

test('an error about max_tokens changes the parameter only if the other name succeeds', async () => {
  const quotes = { status: 400, said: 'no', param: 'max_tokens', code: 'unsupported_parameter' };
  await withModel([quotes, quotes, { text: 'a' }], async ({ model, asked }) => {
    await failure(model.complete(QUESTION, NEVER));
    await model.complete(QUESTION, NEVER);
    assert.deepEqual(
      asked.map((one) => one.max_tokens),
      [50, undefined, 50],
    );
  });
});

test('the parameter name changes back when the endpoint rejects it', async () => {
  let takes: 'max_tokens' | 'max_completion_tokens' = 'max_completion_tokens';
  const more = { code: 'unsupported_parameter' };
  await withModel(
    (asked) =>
      takesOnly(takes, { ...more, param: takes === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens' })(asked),
    async ({ model, asked }) => {
      await model.complete(QUESTION, NEVER);
      takes = 'max_tokens';
      await model.complete(QUESTION, NEVER);
      await model.complete(QUESTION, NEVER);
      assert.deepEqual(
        asked.map((one) => one.max_tokens),
        [50, undefined, undefined, 50, 50],
      );
    },
  );
});

test('a token limit that is too large for the endpoint is rejected, and the parameter is not renamed', async () => {
  const line = { status: 400, said: 'max_tokens is too large', param: 'max_tokens', code: 'invalid_value' };
  await withModel([line], async ({ model, asked }) => {
    await failure(model.complete(QUESTION, NEVER));
    assert.equal(asked.length, 1);
  });
});

test('page text quoted by an endpoint is logged only at level debug', async () => {
  const page = 'words of a page';
  for (const line of [
    { status: 400, said: page, code: 'context_length_exceeded' },
    { status: 503, said: page },
    { raw: `<html>${page}` },
    { raw: JSON.stringify({ choices: page }) },
  ]) {
    await withModel([line], async ({ model, reported, texts }) => {
      const error = await failure(model.complete(QUESTION, NEVER));
      assert.doesNotMatch(`${reported.join()} ${error.message}`, /words of/);
      assert.match(texts.join(), /words of a page/);
      if ('code' in line) assert.match(reported.join(), /"code":"context_length_exceeded"/);
    });
  }
});

test('a silent or dripping model ends at the timeout of the call or of one response', async () => {
  for (const fault of ['silent', 'drips'] as const) {
    await withModel([{ fault }], async ({ model, asked }) => {
      const error = await failure(model.complete(QUESTION, AbortSignal.timeout(100)));
      assert.equal(error.code, 'timeout');
      assert.ok(asked.length <= 1);
    });
    await withModel(
      [{ fault }],
      async ({ model }) => assert.equal((await failure(model.complete(QUESTION, NEVER))).code, 'timeout'),
      { answerMs: 60 },
    );
  }
});

test('an aborted call ends the request immediately, also between two attempts', async () => {
  const gone = new Error('gone');
  for (const line of [{ fault: 'silent' }, { status: 500 }] as const) {
    await withModel(
      [line],
      async ({ model }) => {
        const controller = new AbortController();
        const asking = model.complete(QUESTION, controller.signal);
        setTimeout(() => controller.abort(gone), 40);
        await assert.rejects(asking, gone);
      },
      { retryWaitMs: 10_000 },
    );
  }
});

test('an endless response is dropped at the size limit', async () => {
  await withModel(
    [{ fault: 'endless' }],
    async ({ model, asked }) => {
      const error = await failure(model.complete(QUESTION, NEVER));
      assert.deepEqual([error.code, asked.length], ['backend_unavailable', 1]);
    },
    { answerBytes: 200_000 },
  );
});

test('an unreachable endpoint is reported as unavailable', async () => {
  const { port } = await startHttpServer(() => undefined).then(async (site) => {
    await site[Symbol.asyncDispose]();
    return site;
  });
  const model = createModelClient({
    url: `http://127.0.0.1:${port}/v1/`,
    key: null,
    model: 'm',
    contextTokens: 16_000,
    limits: { ...MODEL_LIMITS, retryWaitMs: 1 },
    random: () => 0,
    report: () => undefined,
    reportText: () => undefined,
  });
  assert.match((await failure(model.complete(QUESTION, NEVER))).message, /cannot be reached/);
  await model.close();
});

async function failure(asking: Promise<unknown>): Promise<ServiceError> {
  const error: unknown = await asking.then(
    () => null,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ServiceError, String(error));
  return error;
}
