import assert from 'node:assert/strict';
import test from 'node:test';
import { assert as check, constantFrom, nat, oneof, property, string, tuple, webUrl } from 'fast-check';
import { isPublic } from '#access/guard/addresses.ts';
import { parseAllowTargets } from '#access/guard/allowed-targets.ts';
import { DEPTH_HEADER } from '#access/guard/guard.ts';
import { readMachine, parseHosts } from '#access/guard/local-names.ts';
import { ServiceError } from '#kernel/errors.ts';
import { startHttpServer } from '#testkit/servers.ts';
import { captureFailure, guardWith, createVisitor } from '#testkit/visitor.ts';

const { guard } = guardWith();

/** The message of a static refusal. */
function checkForRefusal(url: string, setup: Parameters<typeof guardWith>[0] = {}): string {
  try {
    guardWith(setup).guard.parseTarget(url);
  } catch (error) {
    assert.ok(error instanceof ServiceError);
    assert.equal(error.code, 'invalid_request');
    return error.message;
  }
  return assert.fail(`${url} was not refused`);
}

/** Inputs that are refused by their form, with the expected message. */
const REFUSED: readonly (readonly [title: string, says: RegExp, urls: readonly string[]])[] = [
  [
    'loopback',
    /127\.0\.0\.1 is not a public address; to allow it, add it to QUERN_ALLOW_TARGETS/,
    ['http://127.0.0.1/'],
  ],
  [
    'localhost in every spelling',
    /QUERN_ALLOW_TARGETS/,
    ['http://localhost/', 'http://LOCALHOST:80/', 'http://localhost./'],
  ],
  ['an address as one number', /not a public/, ['http://2130706433/', 'http://0x7f000001/', 'http://017700000001/']],
  [
    'short, hexadecimal and octal addresses',
    /not a public/,
    ['http://0x7f.1/', 'http://127.1/', 'http://0177.0.0.1/', 'http://127.0.1/'],
  ],
  ['Unicode digits and dots', /not a public/, ['http://①②⑦.⓪.⓪.①/', 'http://𝟏𝟐𝟕.𝟎.𝟎.𝟏/', 'http://127。0。0。1/']],
  ['letters that fold to localhost', /./, ['http://ⅼocalhost/', 'http://ℓocalhost/', 'http://l\u200Docalhost/']],
  [
    'private networks',
    /not a public/,
    [
      'http://10.0.0.1/',
      'http://172.16.0.1/',
      'http://172.31.255.255/',
      'http://192.168.257/',
      'http://0300.0250.0001.0001/',
    ],
  ],
  [
    'metadata services',
    /./,
    [
      'http://169.254.169.254/latest/meta-data/',
      'http://169.254.170.2/',
      'http://metadata.google.internal/',
      'http://metadata.google.internal./',
    ],
  ],
  ['cloud fabric addresses that look public', /never be fetched/, ['http://168.63.129.16/', 'http://192.0.0.192/']],
  [
    'IPv6 loopback and mapped IPv4',
    /./,
    ['http://[::1]/', 'http://[::ffff:127.0.0.1]/', 'http://[0:0:0:0:0:ffff:7f00:1]/'],
  ],
  ['compatible and SIIT IPv4', /./, ['http://[::127.0.0.1]/', 'http://[::ffff:0:127.0.0.1]/']],
  [
    'special IPv6 ranges',
    /./,
    [
      'http://[fd00:ec2::254]/',
      'http://[fc00::1]/',
      'http://[fe80::1]/',
      'http://[fec0::1]/',
      'http://[ff02::1]/',
      'http://[100::1]/',
      'http://[100:0:0:1::1]/',
      'http://[5f00::1]/',
      'http://[2001:db8::1]/',
      'http://[64:ff9b::8.8.8.8]/',
      'http://[2002:808:808::1]/',
      'http://[3fff::1]/',
      'http://[2606:4700::5efe:808:808]/',
      'http://[2606:4700::200:5efe:808:808]/',
    ],
  ],
  ['an IPv6 zone', /not an absolute URL/, ['http://[fe80::1%25eth0]/']],
  ['a backslash', /backslash/, ['http://example.com\\@127.0.0.1/', 'http:\\\\example.com', 'http://example.com/a\\b']],
  ['a user name with spaces', /user name/, ['http://1.1.1.1 &@2.2.2.2# @3.3.3.3/']],
  [
    'control characters and surrounding white space',
    /control characters|white space/,
    [
      'ht\ntp://127.0.0.1/',
      '\thttp://example.com/',
      ' http://example.com/',
      'http://example.com/ ',
      'http://127.0.0.1\n/',
      'http://example.com/\u0000',
      '\u00a0http://example.com/',
    ],
  ],
  [
    'file URLs',
    /only http and https/,
    ['file:///etc/passwd', 'FILE:///etc/passwd', 'file:/etc/passwd', 'file:etc/passwd', 'source:file:///etc/passwd'],
  ],
  [
    'schemes of inline pages',
    /only http and https/,
    ['raw:http://example.com/', 'data:text/html,x', 'javascript:1', 'about:blank', 'ftp://example.com/'],
  ],
  [
    'a user name and password',
    /user name or password/,
    [
      'http://user:pass@public.example/',
      'http://user@public.example/',
      'http://@public.example/',
      'https:@public.example/',
    ],
  ],
  [
    'text that is not a URL',
    /not an absolute URL/,
    [
      'http://a.com:65536/',
      'http://a.com:80:80/',
      'http://[::1',
      'http://256.1.1.1/',
      'http://1.2.3.08/',
      'http://09.0.0.1/',
      '//x',
      '',
      'example.com',
      'http://',
    ],
  ],
  [
    'labels and names that are too long',
    /longer than/,
    [`http://${'a'.repeat(64)}.com/`, `http://${'a.'.repeat(127)}com/`],
  ],
  [
    'ports of other protocols',
    /port \d+ is blocked/,
    [22, 25, 6000, 6379, 3306, 5432, 9200, 11_211, 27_017].map((port) => `http://example.com:${port}/`),
  ],
  [
    'local names',
    /local name|hosts file/,
    [
      'http://intranet/',
      'http://printer.local/',
      'http://db.internal/',
      'http://nas.home.arpa/',
      'http://x.onion/',
      'http://app.localhost/',
      'http://Hosted.Example.com/',
    ],
  ],
  ['an address longer than 8,192 characters', /longer than 8192/, [`http://example.com/${'a'.repeat(8_192)}`]],
];

for (const [title, says, urls] of REFUSED) {
  test(`${title}: refused before a packet is sent`, () => {
    for (const url of urls) assert.match(checkForRefusal(url, { hostsNames: ['hosted.example.com'] }), says, url);
  });
}

test('addresses next to private ranges are allowed', () => {
  for (const host of ['172.15.255.255', '172.32.0.1', '100.128.0.1', '8.8.8.8', '[2606:4700::1111]']) {
    assert.equal(guard.parseTarget(`http://${host}/`).hostname, host);
  }
});

test('lone surrogates and encoded line breaks stay one harmless URL', () => {
  assert.equal(guard.parseTarget('http://example.com/\ud800').pathname, '/%EF%BF%BD');
  assert.equal(guard.parseTarget('http://example.com/%0d%0aX-Evil:1').pathname, '/%0d%0aX-Evil:1');
  assert.match(checkForRefusal('http://exa%00mple.com/'), /not an absolute URL/);
});

test('an encoded line break in the path does not create a second header', async () => {
  await using site = await startHttpServer((request, response) => response.end(JSON.stringify(request.headers)));
  await using visitor = createVisitor({ allow: `127.0.0.1:${site.port}` });
  const page = await visitor.visit(`${site.origin}/%0d%0aX-Evil:1`);
  assert.doesNotMatch(Buffer.from(page.body).toString(), /x-evil/i);
});

test('the service itself is refused even if its address is allowed', () => {
  const allow = '127.0.0.0/8, ::1, 10.0.0.5, 0.0.0.0/0';
  const one = { allow, own: [{ host: '127.0.0.1', port: 8080 }] };
  assert.match(checkForRefusal('http://127.0.0.1:8080/', one), /this service itself/);
  assert.match(checkForRefusal('http://0.0.0.0:8080/', one), /this service itself/);
  assert.equal(guardWith(one).guard.parseTarget('http://127.0.0.1:8081/').port, '8081');
  assert.equal(guardWith(one).guard.parseTarget('http://127.0.0.2:8080/').port, '8080');
  const every = { allow, own: [{ host: '0.0.0.0', port: 8080 }], interfaces: ['10.0.0.5'] };
  for (const host of ['127.0.0.1', '127.9.9.9', '[::1]', '10.0.0.5']) {
    assert.match(checkForRefusal(`http://${host}:8080/`, every), /this service itself/);
  }
});

test('a name that resolves to the service itself is unreachable', async () => {
  const { guard: open } = guardWith({ allow: 'localhost', own: [{ host: '0.0.0.0', port: 8080 }] });
  const error = await captureFailure(() =>
    open.resolve(open.parseTarget('http://localhost:8080/'), new AbortController().signal),
  );
  assert.equal(error.code, 'target_unreachable');
});

test('every request has the header that identifies a fetch of the service itself', async () => {
  await using site = await startHttpServer((request, response) => response.end(String(request.headers[DEPTH_HEADER])));
  await using visitor = createVisitor({ allow: `127.0.0.1:${site.port}` });
  const page = await visitor.visit(site.origin);
  assert.equal(Buffer.from(page.body).toString(), '1');
});

test('a link resolved against a private base is refused', () => {
  for (const base of ['http://169.254.169.254/', 'http://127.0.0.1/']) {
    assert.match(checkForRefusal(new URL('latest/meta-data/', base).href), /never be fetched|not a public/);
  }
});

test('icon and image URLs of a page pass the same check', () => {
  assert.match(checkForRefusal('http://192.168.0.1/favicon.ico'), /not a public/);
});

test('no setting allows metadata addresses, forms that embed IPv4, or ports of other protocols', () => {
  const allow = '0.0.0.0/0, ::/0';
  for (const host of [
    '169.254.169.254',
    '168.63.129.16',
    '[fd00:ec2::254]',
    '[::ffff:10.0.0.1]',
    '[64:ff9b::a9fe:a9fe]',
    '[::10.0.0.1]',
  ]) {
    assert.match(checkForRefusal(`http://${host}/`, { allow }), /never be fetched/, host);
  }
  assert.match(checkForRefusal('http://127.0.0.1:6379/', { allow }), /port 6379/);
  assert.equal(guardWith({ allow }).guard.parseTarget('http://10.0.0.1/').hostname, '10.0.0.1');
});

test('QUERN_ALLOW_TARGETS allows exactly the listed targets', () => {
  const allow =
    'localhost:8080, wiki, shop.internal, 127.0.0.1:9000, 10.1.0.0/16:80, [::1]:9000, fd00:1::/32, fd00:2::/32:443';
  const { guard: open } = guardWith({ allow });
  const opened = [
    'http://localhost:8080/',
    'http://LOCALHOST.:8080/',
    'https://wiki/',
    'http://wiki:81/',
    'http://shop.internal/',
    'http://127.0.0.1:9000/',
    'http://10.1.255.255/',
    'http://[::1]:9000/',
    'http://[fd00:1::5]:1234/',
    'https://[fd00:2::5]/',
  ];
  for (const url of opened) assert.ok(open.parseTarget(url), url);
  const closed = [
    'http://localhost/',
    'http://localhost:8081/',
    'http://wiki2/',
    'http://a.shop.internal/',
    'http://127.0.0.1/',
    'http://127.0.0.2:9000/',
    'http://10.1.0.1:81/',
    'http://10.2.0.1/',
    'http://[::1]/',
    'http://[fd00:2::5]/',
  ];
  for (const url of closed) checkForRefusal(url, { allow });
});

test('an invalid entry of QUERN_ALLOW_TARGETS is an error that names it', () => {
  const bad = [
    'a b',
    'http://x/',
    'x:0',
    'x:65536',
    'x:y',
    '10.0.0.0/33',
    '[::1',
    '[::1]x',
    'fd00::/129',
    'a/b',
    '*.example.com:',
    '@x',
    '169.254.169.254',
    '168.63.129.16/32:80',
    'fe80::/64',
    '::ffff:10.0.0.1',
    '10.0.0.1/8/8',
  ];
  for (const entry of bad) {
    assert.throws(
      () => parseAllowTargets(`ok.test,${entry}`),
      { message: new RegExp(`QUERN_ALLOW_TARGETS: ${RegExp.escape(entry)}`) },
      entry,
    );
  }
  assert.deepEqual(parseAllowTargets(' , ').names, []);
});

test('the default install refuses loopback and does not connect', async () => {
  await using site = await startHttpServer((_, response) => response.end('inside'));
  await using visitor = createVisitor();
  const error = await captureFailure(() => visitor.visit(site.origin));
  assert.equal(error.code, 'invalid_request');
  assert.equal(site.connections(), 0);
});

test('no IPv4 address is public in one spelling and private in another', () => {
  check(
    property(nat(0xffff_ffff), (number) => {
      const dotted = new URL(`http://${number}/`).hostname;
      const text = [`http://${dotted}/`, `http://0x${number.toString(16)}/`, `http://0${number.toString(8)}/`];
      const answers = text.map((url) => isPublic(new URL(url).hostname));
      assert.ok(answers.every((answer) => answer === answers[0]));
    }),
  );
});

test('a hosts file is read for its names, without comments and addresses', () => {
  const names = parseHosts('127.0.0.1\tLocalhost dev.example.com. # not.this\n# 10.0.0.1 nor.this\n\n::1 six\n');
  assert.deepEqual([...names], ['localhost', 'dev.example.com', 'six']);
});

test('the addresses of the machine are detected', () => {
  const { interfaces, hostsNames } = readMachine();
  assert.ok(interfaces.includes('127.0.0.1'));
  assert.ok(!hostsNames.has('127.0.0.1'));
});

test('any text is either a normalized public http URL or an error message', () => {
  const noise = string({ unit: 'binary', maxLength: 60 });
  const nearly = tuple(constantFrom('http:', 'https:', 'file:', ''), constantFrom('//', '/', '\\\\', ''), noise).map(
    (parts) => parts.join(''),
  );
  check(
    property(oneof(noise, nearly, webUrl({ withFragments: true, withQueryParameters: true })), (text) => {
      try {
        const url = guard.parseTarget(text);
        assert.match(url.protocol, /^https?:$/);
        assert.equal(url.username + url.password, '');
        assert.ok(url.hostname.includes('.') || url.hostname.startsWith('['));
      } catch (error) {
        assert.ok(error instanceof ServiceError && error.code === 'invalid_request', String(error));
      }
    }),
    { numRuns: 1_000 },
  );
});

/** An egress guard with a service of the operator whose name resolves to the given addresses. */
function guardBefore(service: { readonly host: string; readonly port: number }, leadsTo: readonly string[]) {
  const names: Record<string, readonly string[]> = {
    'model-host': leadsTo,
    'mine.test': ['10.0.0.7'],
    'mine.local': ['10.0.0.7', '10.0.0.8'],
    'other.test': ['10.0.0.9'],
    'public.test': ['93.184.216.34'],
  };
  let isAway = false;
  const resolveAllowed = async (name: string) => {
    const addresses = names[name];
    if (addresses === undefined || isAway) throw new Error(`${name} is not known`);
    return { addresses: addresses.map((address) => ({ address, family: 4 as const })), ttlMs: 0 };
  };
  const { guard: before, refusals } = guardWith({
    allow: '10.0.0.0/8,127.0.0.0/8,model-host,mine.test,mine.local,other.test',
    services: [service],
    interfaces: ['10.0.0.1'],
    resolve: resolveAllowed,
    resolveAllowed,
  });
  return {
    refusals,
    setAway: () => (isAway = true),
    isRefused: async (url: string): Promise<boolean> =>
      before.resolve(before.parseTarget(url), AbortSignal.timeout(5_000)).then(
        () => false,
        (error: unknown) => error instanceof ServiceError && error.code === 'target_unreachable',
      ),
  };
}

test('a configured service is not a target by its name, its addresses or their other names', async () => {
  const { isRefused, refusals } = guardBefore({ host: 'model-host', port: 7756 }, ['10.0.0.7']);
  for (const host of ['10.0.0.7', 'model-host', 'MODEL-HOST.', 'mine.test', 'mine.local'])
    assert.equal(await isRefused(`http://${host}:7756/v1/models`), true, host);
  for (const url of ['http://10.0.0.7:7757/', 'http://10.0.0.8:7756/', 'http://other.test:7756/', 'http://10.0.0.7/'])
    assert.equal(await isRefused(url), false, url);
  assert.match(refusals[0]?.reason ?? '', /^10\.0\.0\.7 is a service that this instance uses$/);
});

test('the name of a service is resolved at each check, and its last addresses count if that fails', async () => {
  const addresses = ['10.0.0.9'];
  const { isRefused, setAway } = guardBefore({ host: 'model-host', port: 7756 }, addresses);
  assert.equal(await isRefused('http://10.0.0.7:7756/'), false);
  addresses[0] = '10.0.0.7';
  assert.equal(await isRefused('http://10.0.0.7:7756/'), true);
  setAway();
  assert.equal(await isRefused('http://10.0.0.7:7756/'), true);
});

test('a service of this machine is not a target by any of its addresses', async () => {
  for (const host of ['127.0.0.1', '10.0.0.1', 'model-host']) {
    const { isRefused } = guardBefore({ host, port: 7754 }, ['127.0.0.1']);
    for (const target of ['127.0.0.1', '127.0.0.2', '10.0.0.1', '10.0.0.1.'])
      assert.equal(await isRefused(`http://${target}:7754/results`), true, `${host} ${target}`);
    assert.equal(await isRefused('http://10.0.0.2:7754/'), false);
  }
});

test('a public service at a web port is not a target by name, but other sites at its address are', async () => {
  const shared = guardBefore({ host: 'model-host', port: 443 }, ['93.184.216.34']);
  assert.equal(await shared.isRefused('https://model-host/v1'), true);
  assert.equal(await shared.isRefused('https://public.test/'), false);
  const own = guardBefore({ host: 'model-host', port: 9000 }, ['93.184.216.34']);
  assert.equal(await own.isRefused('http://public.test:9000/'), true);
  const byAddress = guardBefore({ host: '93.184.216.34', port: 443 }, []);
  assert.equal(await byAddress.isRefused('https://public.test/'), true);
});
