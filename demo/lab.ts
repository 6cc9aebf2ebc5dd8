import { renderDocument, buildHtmlReply, buildReply, type PageCall, type Page, type PageReply } from './layout.ts';

/** Delay of the slow challenge. */
const CHALLENGE_DELAY_MS = 2_000;
/** Longer than any client waits. */
const ENDLESS_DELAY_MS = 30_000;
/** The client address that is not blocked; a proxy on this machine can send requests from it. */
export const TRUSTED_ADDRESS = '127.0.0.2';
const PASS_COOKIE = 'lab_pass=rye';

/**
 * Pages that block visitors in typical ways, and pages that only look like a block. Visitors who are let in get a short story.
 */
export function buildLabPages(): ReadonlyMap<string, Page> {
  return new Map<string, Page>([
    ...buildBlockPages(),
    ...buildChallengePages(),
    ...buildShellPages(),
    ...buildLookAlikes(),
  ]);
}

function buildBlockPages(): readonly (readonly [string, Page])[] {
  return [
    ['/lab/address', (call) => (isTrusted(call) ? renderStory(call) : renderRefusal(403, 'Not from this address'))],
    [
      '/lab/vendor',
      (call) =>
        isTrusted(call)
          ? renderStory(call)
          : renderRefusal(200, '<iframe src="https://geo.captcha-delivery.com/captcha/" title="check"></iframe>'),
    ],
    [
      '/lab/rate',
      (call) => (call.visits % 2 === 0 ? renderStory(call) : addHeaders(renderTooMany(), { 'retry-after': '0' })),
    ],
    [
      '/lab/rate/long',
      (call) => (isTrusted(call) ? renderStory(call) : addHeaders(renderTooMany(), { 'retry-after': '600' })),
    ],
    [
      '/lab/ledger',
      () => addHeaders({ ...buildHtmlReply(''), status: 302 }, { location: '/lab/login?next=%2Flab%2Fledger' }),
    ],
    ['/lab/login', () => buildHtmlReply(LOGIN)],
    ['/lab/country', () => renderRefusal(200, 'The ledger is not available in your country')],
    ['/lab/never', () => ({ ...buildHtmlReply(''), delayMs: ENDLESS_DELAY_MS })],
  ];
}

function buildChallengePages(): readonly (readonly [string, Page])[] {
  return [
    [
      '/lab/challenge',
      buildChallenge(CHALLENGE_DELAY_MS, () => addHeaders(buildHtmlReply('', 403), { 'cf-mitigated': 'challenge' })),
    ],
    ['/lab/challenge/named', renderBrowserChallenge],
    ['/lab/challenge/plain', buildChallenge(0, () => buildHtmlReply('', 503))],
    [
      '/lab/captcha',
      () => renderRefusal(403, '<p>Enter the characters you see below</p><form><input name="word"></form>'),
    ],
  ];
}

/** A page that requires its script to run: it sets a cookie and reloads. */
function buildChallenge(waitMs: number, refusal: () => PageReply): Page {
  return (call) => {
    if (call.headers.cookie?.includes(PASS_COOKIE) === true) return renderStory(call);
    const script = `setTimeout(() => { document.cookie = '${PASS_COOKIE}; path=/lab'; location.reload(); }, ${waitMs});`;
    return { ...refusal(), body: renderLabDocument('Wait', `<p>One moment.</p><script>${script}</script>`) };
  };
}

/** A challenge whose cookie is valid only for the same User-Agent. */
function renderBrowserChallenge(call: PageCall): PageReply {
  const name = encodeURIComponent(call.headers['user-agent'] ?? '');
  if (call.headers.cookie?.includes(`lab_name=${name}`) === true) return renderStory(call);
  const script =
    'document.cookie = `lab_name=${encodeURIComponent(navigator.userAgent)}; path=/lab`; location.reload();';
  const body = renderLabDocument('Wait', `<p>One moment.</p><script>${script}</script>`);
  return { ...addHeaders(buildHtmlReply('', 403), { 'cf-mitigated': 'challenge' }), body };
}

function buildShellPages(): readonly (readonly [string, Page])[] {
  return [
    ['/lab/shell', renderShell],
    ['/lab/shell/address', (call) => (isTrusted(call) ? renderShell() : renderRefusal(403, 'Not from this address'))],
    ['/lab/shell.js', () => buildReply('text/javascript; charset=utf-8', FILL_SCRIPT)],
    ['/lab/shell.json', () => buildReply('application/json', JSON.stringify({ text: STORY }))],
    [
      '/lab/shell/described',
      () =>
        buildHtmlReply(
          renderLabDocument('Rye flour', `<div id="root"></div>${PRODUCT}<script src="/lab/shell.js"></script>`),
        ),
    ],
    [
      '/lab/endless',
      () => buildHtmlReply(renderLabDocument('Sacks', '<p>Loading…</p><script>fetch("/lab/never")</script>')),
    ],
  ];
}

function renderShell(): PageReply {
  return buildHtmlReply(renderLabDocument('Sacks', '<div id="root"></div><script src="/lab/shell.js"></script>'));
}

function buildLookAlikes(): readonly (readonly [string, Page])[] {
  const quoted = '<pre><code>&lt;script&gt;window._cf_chl_opt = {}&lt;/script&gt;</code></pre>';
  return [
    [
      '/lab/look-alike/article',
      (call) => renderStory(call, `<p>They say “Just a moment...” and “Access Denied”.</p>${quoted}`),
    ],
    ['/lab/look-alike/short', () => buildHtmlReply(renderLabDocument('Closed', '<p>The mill is closed today.</p>'))],
    [
      '/lab/look-alike/soft-404',
      () => buildHtmlReply(renderLabDocument('Not here', '<p>We could not find this page.</p>')),
    ],
    [
      '/lab/look-alike/maintenance',
      () => buildHtmlReply(renderLabDocument('Maintenance', '<p>The stones are being dressed.</p>'), 503),
    ],
    ['/lab/look-alike/contact', () => buildHtmlReply(renderLabDocument('Write to us', CONTACT))],
    [
      '/lab/look-alike/telemetry',
      (call) => renderStory(call, '<script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script>'),
    ],
    ['/lab/look-alike/json', () => buildReply('application/json', '{"text":"Sorry, you have been blocked"}')],
  ];
}

const STORY =
  'The wheel turns again. The miller oiled the shaft, the river rose in the night, and by noon there were forty sacks of rye on the cart. Ilse counted them twice, wrote them into the ledger, and sent the boy to tell the baker that there would be bread on Saturday.';

const FILL_SCRIPT = `fetch('/lab/shell.json').then((answer) => answer.json()).then(({ text }) => {
  const story = document.createElement('p');
  story.textContent = text;
  document.querySelector('#root').append(story);
});
`;

const PRODUCT = `<script type="application/ld+json">${JSON.stringify({
  '@context': 'https://schema.org',
  '@type': 'Product',
  name: 'Whole rye flour',
  offers: { '@type': 'Offer', price: '4.90', priceCurrency: 'EUR' },
})}</script>`;

const LOGIN = renderLabDocument(
  'Sign in',
  '<form method="post"><label>Name <input name="name"></label><label>Password <input name="word" type="password"></label><button>Sign in</button></form>',
);
const CONTACT =
  '<form method="post"><label>Your letter <textarea name="letter"></textarea></label><div class="g-recaptcha"></div><button>Send</button></form>';

function isTrusted({ client }: PageCall): boolean {
  return client === TRUSTED_ADDRESS;
}

function renderStory({ origin, url }: PageCall, more = ''): PageReply {
  const main = `<article><h1>The wheel turns again</h1><p>${STORY}</p>${more}</article>`;
  const description = 'Forty sacks of rye.';
  return buildHtmlReply(
    renderDocument({ origin, path: url.pathname, title: 'The wheel turns again', description, main }),
  );
}

function renderRefusal(status: number, body: string): PageReply {
  return buildHtmlReply(renderLabDocument('Stop', body), status);
}

function renderTooMany(): PageReply {
  return renderRefusal(429, '<p>Too many visitors. Come later.</p>');
}

function addHeaders(reply: PageReply, headers: Readonly<Record<string, string>>): PageReply {
  return { ...reply, headers: { ...reply.headers, ...headers } };
}

function renderLabDocument(title: string, body: string): string {
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body>${body}</body></html>\n`;
}
