import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfig } from '#kernel/config.ts';
import { formatProxy, type ProxyTemplate, parseProxies, fillTemplate } from '#kernel/proxy-urls.ts';

function only(text: string): ProxyTemplate {
  const read = parseProxies(text);
  const [template] = typeof read === 'string' ? [] : read;
  if (template === undefined) throw new Error(JSON.stringify(read));
  return template;
}

test('proxy URLs get default ports, and encoded users and passwords are decoded', () => {
  const read = parseProxies(
    ' http://a.example , https://u:p%40%2C%3A@B.example:8443,socks5://[2001:DB8::1]:80, ,socks5://c',
  );
  assert.ok(typeof read !== 'string');
  assert.deepEqual(
    read.map(({ protocol, host, port, username, password }) => [protocol, host, port, username, password]),
    [
      ['http', 'a.example', 80, '', ''],
      ['https', 'b.example', 8443, 'u', 'p@,:'],
      ['socks5', '2001:db8::1', 80, '', ''],
      ['socks5', 'c', 1080, '', ''],
    ],
  );
  assert.deepEqual(parseProxies(''), []);
  assert.equal(formatProxy(only('socks5://u:p@[::1]:1')), 'socks5://[::1]:1');
});

test('placeholders for session and country are replaced in every part of a proxy URL', () => {
  const template = only('http://{country=de}.gate.example:7000');
  assert.equal(fillTemplate(template, { session: 'x', country: null })?.host, 'de.gate.example');
  assert.equal(fillTemplate(template, { session: 'x', country: 'fr' })?.host, 'fr.gate.example');
  const user = only('socks5://me-{session}-{country=us}:k%7Bsession%7D@gate.example:7000?resolve=proxy');
  assert.deepEqual(fillTemplate(user, { session: 's1', country: 'jp' }), {
    protocol: 'socks5',
    host: 'gate.example',
    port: 7000,
    username: 'me-s1-jp',
    password: 'ks1',
    resolvesNames: true,
  });
});

test('a proxy that requires a country is not used without one', () => {
  const read = parseProxies('http://a.example,http://u-{country}:p@b.example');
  assert.ok(typeof read !== 'string');
  const [, needy] = read;
  assert.ok(needy !== undefined);
  assert.equal(fillTemplate(needy, { session: '', country: null }), null);
  assert.equal(fillTemplate(needy, { session: '', country: 'de' })?.username, 'u-de');
});

test('the error for an invalid list has its setting, the valid form and the entry, but no secret', () => {
  const bad = [
    ['ftp://u:canary@a.example', /http, https or socks5/],
    ['a.example:8080', /http, https or socks5/],
    ['http://', /http, https or socks5/],
    ['socks5://u:canary@:80', /http, https or socks5|valid host/],
    ['http://u:canary@a.example:99999', /http, https or socks5/],
    ['http://u:canary@a.example/path', /without a path/],
    ['http://u:canary@a.example?dns=proxy', /resolve=proxy/],
    ['http://u:canary@a.example#x', /without a path/],
    ['http://u:can%ary@a.example', /percent-encoded/],
    ['http://u:canary%0d%0a@a.example', /percent-encoded/],
    ['http://u%3Av:canary@a.example', /colon/],
    ['http://u-{city}:canary@a.example', /no placeholders except/],
    ['http://u-{country=DEU}:canary@a.example', /no placeholders except/],
    ['http://u-{country}:canary@a.example', /\{country=de\} instead/],
    [`http://${'u'.repeat(201)}:canary@a.example`, /valid host/],
    [Array.from({ length: 1001 }, () => 'http://a.example').join(), /at most 1000/],
  ] as const;
  for (const [text, message] of bad) {
    const refusal = parseProxies(text);
    assert.ok(typeof refusal === 'string', text);
    assert.match(refusal, message, text);
    assert.match(refusal, /^must /);
    assert.doesNotMatch(refusal, /canary/);
    assert.throws(
      () => loadConfig({ QUERN_PROXIES_DATACENTER: text }, null),
      /^Error: QUERN_PROXIES_DATACENTER: must /,
    );
  }
  assert.throws(
    () => loadConfig({ QUERN_PROXIES_RESIDENTIAL: 'http://a.example,nonsense' }, null),
    /QUERN_PROXIES_RESIDENTIAL: .*\(proxy 2 of 2\)/,
  );
});

test('quern config shows that proxies are set, without their passwords', () => {
  const { settings } = loadConfig({ QUERN_PROXIES_DATACENTER: 'http://me:canary@a.example' }, null);
  assert.equal(settings.find(({ name }) => name === 'QUERN_PROXIES_DATACENTER')?.value, '********');
  assert.doesNotMatch(JSON.stringify(settings), /canary/);
});
