import { toDocument } from './layout.ts';
import { html, typed, type Call, type Page, type Reply } from './reply.ts';

/** Time that the slow challenge makes a browser wait, ms. */
const CHALLENGE_MS = 2_000;
/** Longer than anyone waits. */
const NEVER_MS = 30_000;
/** The address that the miller trusts; a proxy on this machine can ask from it. */
export const TRUSTED = '127.0.0.2';
const PASS = 'lab_pass=rye';

/**
 * The paths that keep visitors out, each in one of the ways that sites do, and pages that only look like it. Whoever gets
 * in reads of the wheel.
 */
export function labPages(): ReadonlyMap<string, Page> {
  return new Map<string, Page>([...blockPages(), ...challengePages(), ...shellPages(), ...lookAlikes()]);
}

function blockPages(): readonly (readonly [string, Page])[] {
  return [
    ['/lab/address', (call) => (isTrusted(call) ? inside(call) : outside(403, 'Not from this address'))],
    [
      '/lab/vendor',
      (call) =>
        isTrusted(call)
          ? inside(call)
          : outside(200, '<iframe src="https://geo.captcha-delivery.com/captcha/" title="check"></iframe>'),
    ],
    ['/lab/rate', (call) => (call.visits % 2 === 0 ? inside(call) : withHeaders(tooMany(), { 'retry-after': '0' }))],
    ['/lab/rate/long', (call) => (isTrusted(call) ? inside(call) : withHeaders(tooMany(), { 'retry-after': '600' }))],
    ['/lab/ledger', () => withHeaders({ ...html(''), status: 302 }, { location: '/lab/login?next=%2Flab%2Fledger' })],
    ['/lab/login', () => html(LOGIN)],
    ['/lab/country', () => outside(200, 'The ledger is not available in your country')],
    ['/lab/never', () => ({ ...html(''), delayMs: NEVER_MS })],
  ];
}

function challengePages(): readonly (readonly [string, Page])[] {
  return [
    ['/lab/challenge', challenge(CHALLENGE_MS, () => withHeaders(html('', 403), { 'cf-mitigated': 'challenge' }))],
    ['/lab/challenge/named', namedChallenge],
    ['/lab/challenge/plain', challenge(0, () => html('', 503))],
    ['/lab/captcha', () => outside(403, '<p>Enter the characters you see below</p><form><input name="word"></form>')],
  ];
}

/** A page that only lets in whoever ran its script, which sets a cookie and comes again. */
function challenge(waitMs: number, refusal: () => Reply): Page {
  return (call) => {
    if (call.headers.cookie?.includes(PASS) === true) return inside(call);
    const script = `setTimeout(() => { document.cookie = '${PASS}; path=/lab'; location.reload(); }, ${waitMs});`;
    return { ...refusal(), body: document('Wait', `<p>One moment.</p><script>${script}</script>`) };
  };
}

/** A pass that holds only for who earned it, by the name that the browser gave itself. */
function namedChallenge(call: Call): Reply {
  const name = encodeURIComponent(call.headers['user-agent'] ?? '');
  if (call.headers.cookie?.includes(`lab_name=${name}`) === true) return inside(call);
  const script =
    'document.cookie = `lab_name=${encodeURIComponent(navigator.userAgent)}; path=/lab`; location.reload();';
  const body = document('Wait', `<p>One moment.</p><script>${script}</script>`);
  return { ...withHeaders(html('', 403), { 'cf-mitigated': 'challenge' }), body };
}

function shellPages(): readonly (readonly [string, Page])[] {
  return [
    ['/lab/shell', shell],
    ['/lab/shell/address', (call) => (isTrusted(call) ? shell() : outside(403, 'Not from this address'))],
    ['/lab/shell.js', () => typed('text/javascript; charset=utf-8', FILL)],
    ['/lab/shell.json', () => typed('application/json', JSON.stringify({ text: STORY }))],
    [
      '/lab/shell/described',
      () => html(document('Rye flour', `<div id="root"></div>${PRODUCT}<script src="/lab/shell.js"></script>`)),
    ],
    ['/lab/endless', () => html(document('Sacks', '<p>Loading…</p><script>fetch("/lab/never")</script>'))],
  ];
}

function shell(): Reply {
  return html(document('Sacks', '<div id="root"></div><script src="/lab/shell.js"></script>'));
}

function lookAlikes(): readonly (readonly [string, Page])[] {
  const quoted = '<pre><code>&lt;script&gt;window._cf_chl_opt = {}&lt;/script&gt;</code></pre>';
  return [
    [
      '/lab/look-alike/article',
      (call) => inside(call, `<p>They say “Just a moment...” and “Access Denied”.</p>${quoted}`),
    ],
    ['/lab/look-alike/short', () => html(document('Closed', '<p>The mill is closed today.</p>'))],
    ['/lab/look-alike/soft-404', () => html(document('Not here', '<p>We could not find this page.</p>'))],
    ['/lab/look-alike/maintenance', () => html(document('Maintenance', '<p>The stones are being dressed.</p>'), 503)],
    ['/lab/look-alike/contact', () => html(document('Write to us', CONTACT))],
    [
      '/lab/look-alike/telemetry',
      (call) => inside(call, '<script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script>'),
    ],
    ['/lab/look-alike/json', () => typed('application/json', '{"text":"Sorry, you have been blocked"}')],
  ];
}

const STORY =
  'The wheel turns again. The miller oiled the shaft, the river rose in the night, and by noon there were forty sacks of rye on the cart. Ilse counted them twice, wrote them into the ledger, and sent the boy to tell the baker that there would be bread on Saturday.';

const FILL = `fetch('/lab/shell.json').then((answer) => answer.json()).then(({ text }) => {
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

const LOGIN = document(
  'Sign in',
  '<form method="post"><label>Name <input name="name"></label><label>Password <input name="word" type="password"></label><button>Sign in</button></form>',
);
const CONTACT =
  '<form method="post"><label>Your letter <textarea name="letter"></textarea></label><div class="g-recaptcha"></div><button>Send</button></form>';

function isTrusted({ client }: Call): boolean {
  return client === TRUSTED;
}

function inside({ origin, url }: Call, more = ''): Reply {
  const main = `<article><h1>The wheel turns again</h1><p>${STORY}</p>${more}</article>`;
  const description = 'Forty sacks of rye.';
  return html(toDocument({ origin, path: url.pathname, title: 'The wheel turns again', description, main }));
}

function outside(status: number, body: string): Reply {
  return html(document('Stop', body), status);
}

function tooMany(): Reply {
  return outside(429, '<p>Too many visitors. Come later.</p>');
}

function withHeaders(reply: Reply, headers: Readonly<Record<string, string>>): Reply {
  return { ...reply, headers: { ...reply.headers, ...headers } };
}

function document(title: string, body: string): string {
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body>${body}</body></html>\n`;
}
