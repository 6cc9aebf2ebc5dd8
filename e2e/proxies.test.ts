import assert from 'node:assert/strict';
import { createServer as createTlsSite } from 'node:https';
import { test } from 'node:test';
import { at, listAt, textAt } from '#support/members.ts';
import { openHttpProxy, openSocksProxy } from '#support/proxies.ts';
import { runHere } from '#support/command.ts';
import { serveQuern } from '#support/quern.ts';
import { startTcpServer, startHttpServer } from '#testkit/servers.ts';
import { inTemporaryFolder } from '#support/store.ts';
import { identity } from '#support/tls.ts';

/** A site that accepts only the exit of a proxy. */
function openPicky() {
  return startHttpServer((request, response) => {
    if (request.socket.remoteAddress !== '127.0.0.2') return response.writeHead(403).end('no');
    return response.writeHead(200, { 'content-type': 'text/html' }).end(`<h1>Rye</h1><p>${'flour '.repeat(60)}</p>`);
  });
}

test("a page that blocks the server's IP address is fetched through a datacenter proxy for 8 more credits", async () => {
  await inTemporaryFolder(async (folder) => {
    await using site = await openPicky();
    await using proxy = await openHttpProxy({ auth: 'rye:canary-millstone' });
    await using service = await serveQuern(folder, {
      QUERN_ALLOW_TARGETS: `127.0.0.1:${site.port}`,
      QUERN_PROXIES_DATACENTER: proxy.url,
    });
    const { body: known } = await service.call('/v1/capabilities');
    assert.deepEqual(at(known, 'tiers.proxy'), { available: true });
    assert.match(textAt(known, 'tiers.proxy_browser.reason'), /QUERN_PROXIES_RESIDENTIAL/);
    const { status, body } = await service.call('/v1/fetch', { url: `${site.origin}/`, proxy: 'auto' });
    assert.equal(status, 200, JSON.stringify(body));
    assert.match(textAt(body, 'markdown'), /Rye/);
    assert.deepEqual(at(body, 'usage'), { credits: 10, base: 2, surcharge: 8, tier: 'proxy' });
    assert.deepEqual(
      listAt(body, 'attempts').map((attempt) => [at(attempt, 'tier'), at(attempt, 'outcome')]),
      [
        ['http', 'blocked'],
        ['proxy', 'ok'],
      ],
    );
    const basic = await service.call('/v1/fetch', { url: `${site.origin}/`, proxy: 'basic' });
    assert.equal(at(basic.body, 'error.code'), 'target_blocked');
    const itself = await service.call('/v1/fetch', { url: `http://127.0.0.1:${proxy.port}/` });
    assert.equal(at(itself.body, 'error.code'), 'invalid_request');
    const { body: usage } = await service.call('/v1/usage');
    assert.equal(at(usage, 'credits_used'), 10);
    assert.equal(proxy.asked.length, 1);
    assert.doesNotMatch(`${service.out()}${service.err()}`, /canary/);
  });
});

test('failing proxies give 503 without a charge; stealth without a residential proxy names the setting', async () => {
  await inTemporaryFolder(async (folder) => {
    await using site = await openPicky();
    await using proxy = await openSocksProxy({ auth: 'rye:canary-millstone' });
    await using service = await serveQuern(folder, {
      QUERN_ALLOW_TARGETS: `127.0.0.1:${site.port}`,
      QUERN_PROXIES_DATACENTER: proxy.url.replace('millstone', 'wrong'),
    });
    const { status, body } = await service.call('/v1/fetch', { url: `${site.origin}/`, proxy: 'auto' });
    assert.deepEqual([status, at(body, 'error.code')], [503, 'backend_unavailable'], JSON.stringify(body));
    const { body: log } = await service.call(`/v1/requests/${textAt(body, 'request_id')}`);
    const last = listAt(log, 'attempts').at(-1);
    assert.deepEqual(
      [at(last, 'tier'), at(last, 'outcome'), at(last, 'reason')],
      ['proxy', 'proxy_error', 'proxy_auth'],
    );
    const stealth = await service.call('/v1/fetch', { url: `${site.origin}/`, proxy: 'stealth' });
    assert.deepEqual([stealth.status, at(stealth.body, 'error.code')], [503, 'backend_unavailable']);
    assert.match(textAt(stealth.body, 'error.message'), /QUERN_PROXIES_RESIDENTIAL/);
    assert.equal(at((await service.call('/v1/usage')).body, 'credits_used'), 0);
    assert.doesNotMatch(`${service.out()}${service.err()}${JSON.stringify([body, log, stealth.body])}`, /canary/);
  });
});

test('quern doctor tests each proxy, and reports which one fails and why', async () => {
  await inTemporaryFolder(async (folder) => {
    await using good = await openHttpProxy({
      instead: (client) => void client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'),
    });
    await using locked = await openSocksProxy({ auth: 'rye:canary-millstone' });
    await using silent = await startTcpServer(createTlsSite(identity('selfsigned')));
    const doctor = await runHere(folder, ['doctor'], {
      QUERN_PROXIES_DATACENTER: `${good.url},${locked.url.replace('canary', 'canary-wrong')}`,
      QUERN_PROXIES_RESIDENTIAL: `https://127.0.0.1:${silent.port}`,
    });
    assert.match(doctor.out, /^ok +tier proxy +ready$/m);
    assert.match(
      doctor.out,
      /^missing +proxies datacenter +1 of 2 connect: socks5:\/\/127\.0\.0\.1:\d+ rejects its user or password$/m,
    );
    assert.match(
      doctor.out,
      /^failed +proxies residential +0 of 1 connect: https:\/\/127\.0\.0\.1:\d+ cannot be reached$/m,
    );
    assert.equal(doctor.code, 1);
    assert.doesNotMatch(doctor.out + doctor.err, /canary/);
    assert.deepEqual(
      good.asked.map(({ authority }) => authority),
      ['example.com:443'],
    );
  });
});
