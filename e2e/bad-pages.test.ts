import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { Readable, pipeline } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { listProcesses } from '#access/browser/processes.ts';
import { at, textAt } from '#support/members.ts';
import { serveQuern } from '#support/quern.ts';
import { BROWSERS, browserTest } from '#support/rendered.ts';
import { browsersUnder, killRenderers } from '#support/service-browsers.ts';
import { startRawServer, startHttpServer, startSocketServer } from '#testkit/servers.ts';
import { inTemporaryFolder } from '#support/store.ts';

const HTML = { 'content-type': 'text/html' };
const STORY = `<h1>Mill</h1><p>${'Rye and wheat. '.repeat(40)}</p>`;
const TEN_GIB = 10 * 2 ** 30;

/** Sends zeros until the client disconnects. */
const endless: RequestListener = (_request, response) => {
  response.writeHead(200, {
    'content-type': 'application/octet-stream',
    'content-disposition': 'attachment; filename="../../flour.bin"',
    'content-length': TEN_GIB,
  });
  const sack = Buffer.alloc(2 ** 18);
  pipeline(Readable.from(repeat(sack, TEN_GIB / sack.length)), response, () => undefined);
};

function* repeat(sack: Buffer, times: number): Generator<Buffer> {
  for (let n = 0; n < times; n += 1) yield sack;
}

const SCRIPTS: Readonly<Record<string, string>> = {
  '/loop': 'while (true);',
  '/alerts': 'while (true) alert("flour");',
  '/dialogs': 'alert(1); confirm(2); prompt(3); print();',
  '/saves':
    'for (let n = 0; n < 5; n += 1) { const one = document.createElement("a"); one.href = "/sack"; one.download = "x"; one.click(); }',
};

browserTest(
  'the HTTP tier reads malformed responses, the browser reads a truncated one, and neither reads non-HTTP',
  async () => {
    await inTemporaryFolder(async (folder) => {
      const head = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${STORY.length}\r\n`;
      await using bare = await startRawServer(`${head}\r\n${STORY}`.replaceAll('\r\n', '\n'));
      await using short = await startRawServer(`${head.replace(/\d+\r\n$/, '9999\r\n')}\r\n${STORY}`);
      await using stalling = await startRawServer(`${head.replace(/\d+\r\n$/, '9999\r\n')}\r\n${STORY}`, 'stay');
      await using smuggling = await startRawServer(`${head}Transfer-Encoding: chunked\r\n\r\n${STORY}`);
      await using service = await serveQuern(folder, {
        QUERN_ALLOW_TARGETS: '127.0.0.1',
        QUERN_CHROMIUM: BROWSERS?.shell.path ?? '',
      });
      const see = async ({ origin }: { readonly origin: string }) => {
        const { body } = await service.call('/v1/fetch', { url: origin, output: ['text'], timeout_ms: 60_000 });
        const code = at(body, 'error.code');
        return (
          code ?? [at(body, 'usage.tier'), at(body, 'warnings.0.code'), /Rye and wheat/.test(textAt(body, 'text'))]
        );
      };
      assert.deepEqual(await see(bare), ['http', undefined, true]);
      assert.deepEqual(await see(short), ['browser', 'truncated', true]);
      assert.deepEqual(await see(stalling), ['browser', 'truncated', true]);
      assert.equal(await see(smuggling), 'unusable_response');
    });
  },
);

browserTest('a page that abuses the browser gets one response, costs nothing, and delays no other call', async () => {
  await inTemporaryFolder(async (folder) => {
    let crashing: number | null = null;
    await using site = await startHttpServer((request, response) => {
      const path = request.url ?? '';
      if (path === '/sack') return endless(request, response);
      if (path === '/crash') {
        // There is no response, because the requesting process is killed.
        for (const group of crashing === null ? [] : browsersUnder(crashing)) killRenderers(group);
        return undefined;
      }
      const script = SCRIPTS[path];
      const tall = path === '/tall' ? '<div style="height: 10000000px">tall</div>' : '';
      return response
        .writeHead(200, HTML)
        .end(`${STORY}${tall}${script === undefined ? '' : `<script>${script}</script>`}`);
    });
    await using abrupt = await startSocketServer((socket) => void socket.destroy());
    await using service = await serveQuern(folder, {
      QUERN_ALLOW_TARGETS: `127.0.0.1:${site.port},127.0.0.1:${abrupt.port}`,
      QUERN_CHROMIUM: BROWSERS?.full.path ?? '',
    });
    const see = async (url: string, more: Readonly<Record<string, unknown>> = {}) => {
      const { status, body } = await service.call('/v1/fetch', {
        url: new URL(url, site.origin).href,
        scroll: true,
        output: ['text'],
        proxy: 'basic',
        timeout_ms: 110_000,
        ...more,
      });
      return { status, body, said: [at(body, 'error.code'), at(body, 'error.message')] };
    };

    for (const path of ['/dialogs', '/saves']) {
      const { status, body } = await see(path);
      assert.equal(status, 200, JSON.stringify(body));
      assert.match(textAt(body, 'text'), /Rye and wheat/, path);
    }
    const loops = await Promise.all(['/loop', '/alerts'].map(async (path) => see(path, { timeout_ms: 6_000 })));
    for (const { said } of loops)
      assert.deepEqual(said, ['timeout', 'every access attempt timed out; use a larger timeout_ms']);
    assert.deepEqual((await see('/sack')).said, ['content_too_large', 'the page is larger than 50 MiB']);
    for (const scroll of [true, false]) {
      const { said } = await see(`https://127.0.0.1:${abrupt.port}/`, { scroll });
      assert.match(
        said.join(' '),
        /^target_unreachable the target could not be reached: the connection was (?:reset|closed before an answer)$/,
      );
    }

    crashing = service.pid;
    assert.deepEqual((await see('/crash')).said, ['backend_unavailable', 'the browser failed on this page']);

    const tall = await see('/tall', { output: ['screenshot'], screenshot: { full_page: true }, scroll: false });
    assert.equal(tall.status, 200, JSON.stringify(tall.body));
    const height = at(tall.body, 'screenshot.height');
    assert.ok(typeof height === 'number' && height <= 16_384);
    assert.equal(at(tall.body, 'warnings.0.code'), 'truncated');

    // Three pages were served, and only they were charged.
    assert.equal(at((await service.call('/v1/usage')).body, 'credits_used'), 6);
  });
});

browserTest('kill -9 of a service during a browser fetch leaves no browser process', async () => {
  await inTemporaryFolder(async (folder) => {
    const begun = Promise.withResolvers<void>();
    await using site = await startHttpServer((_request, response) => {
      begun.resolve();
      response.writeHead(200, HTML).end(`${STORY}<script>while (true);</script>`);
    });
    await using service = await serveQuern(folder, {
      QUERN_ALLOW_TARGETS: `127.0.0.1:${site.port}`,
      QUERN_CHROMIUM: BROWSERS?.shell.path ?? '',
    });
    assert.deepEqual(browsersUnder(service.pid), []);
    const lost = service.call('/v1/fetch', { url: site.origin, scroll: true }).catch(() => null);
    await begun.promise;
    const groups = browsersUnder(service.pid);
    assert.equal(groups.length, 1);
    service.signal('SIGKILL');
    await Promise.all([service.ended, lost]);
    for (const signal = AbortSignal.timeout(60_000); !groups.every(isGone);) {
      signal.throwIfAborted();
      await delay(50);
    }
  });
});

function isGone(group: number): boolean {
  return listProcesses(group)?.length === 0;
}
