/** A page of a few words, as blocks and challenges are. */
export function small(title: string, body: string, head = ''): string {
  return `<!doctype html><html><head><meta charset="utf-8"><title>${title}</title>${head}</head><body>${body}</body></html>`;
}

const SENTENCES =
  'The mill grinds rye on Wednesdays and Saturdays. Ilse keeps the ledger and counts the sacks. When the river is low the wheel rests, and the baker buys his flour in the next valley. ';

/** An article of the site itself, with more text than any block page has. */
export function article(title: string, body: string): string {
  return small(title, `<main><article><h1>${title}</h1><p>${SENTENCES.repeat(20)}</p>${body}</article></main>`);
}

/** Markup as an article shows it to its readers. */
export function quoted(markup: string): string {
  return `<pre><code>${markup.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</code></pre>`;
}

export type BlockPage = {
  /** What the page is. */
  readonly title: string;
  /** The table row that it tests: its reason, and a unique prefix of the sign among rows of that reason. */
  readonly sign: string;
  readonly verdict: string;
  readonly html: string;
  /** Default: 200. */
  readonly status?: number;
  /** A page with status 200 that resembles it but is not a block. */
  readonly not: string;
};

const script = (code: string): string => `<script>${code}</script>`;
const source = (url: string): string => `<script src="${url}"></script>`;

/** A page recognized by its markup, and an article that quotes this markup. */
function structural(sign: string, verdict: string, markup: string, more: Partial<BlockPage> = {}): BlockPage {
  const title = `${verdict} by ${sign}`;
  return { title, sign, verdict, html: small('', markup), not: article('Notes', quoted(markup)), ...more };
}

/** A page recognized by its text, and an article that mentions this text. */
function spoken(sign: string, verdict: string, words: string, more: Partial<BlockPage> = {}): BlockPage {
  const title = `${verdict} by the words ${sign}`;
  const html = small('Mill', `<h1>${words}</h1>`);
  return { title, sign, verdict, html, not: article('How blocks look', `<p>They say: ${words}.</p>`), ...more };
}

const CLOUDFLARE = 'challenge cloudflare';
const turnstile = source('https://challenges.cloudflare.com/turnstile/v0/api.js');
const login = '<form><label>Name <input name="name"></label><label>Word <input type="password"></label></form>';

/** One page for each row of the table of bodies, written by us after the vendors' pages. */
export const BLOCK_PAGES: readonly BlockPage[] = [
  structural('_cf_chl_opt', CLOUDFLARE, script("(function(){window._cf_chl_opt={cvId:'3',cZone:'mill.test'}})()")),
  structural('__cf_chl_managed_tk__', CLOUDFLARE, '<form action="/?__cf_chl_managed_tk__=x"></form>'),
  structural('__cf_chl_f_tk=', CLOUDFLARE, '<form id="challenge-form" action="/?__cf_chl_f_tk=x"></form>'),
  structural('cf-challenge-running', CLOUDFLARE, '<div id="cf-challenge-running"></div>'),
  structural('cf-browser-verification', CLOUDFLARE, '<div class="cf-browser-verification"></div>'),
  structural('/orchestrate/chl_page/', CLOUDFLARE, source('/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1'), {
    not: small('Mill', source('/cdn-cgi/challenge-platform/h/b/scripts/jsd/main.js')),
  }),
  structural('/orchestrate/jsch/', CLOUDFLARE, source('/cdn-cgi/challenge-platform/h/g/orchestrate/jsch/v1')),
  structural('/orchestrate/managed/', CLOUDFLARE, source('/cdn-cgi/challenge-platform/h/g/orchestrate/managed/v1')),
  structural('/orchestrate/captcha/', CLOUDFLARE, source('/cdn-cgi/challenge-platform/h/g/orchestrate/captcha/v1')),
  structural('cf-chl-widget-', CLOUDFLARE, `${turnstile}<input type="hidden" id="cf-chl-widget-a1_response">`, {
    not: small('Sign in', `${login}${turnstile}<input type="hidden" id="cf-chl-widget-a1_response">`),
  }),
  structural('turnstile-wrapper', CLOUDFLARE, `<div id="turnstile-wrapper">${turnstile}</div>`, {
    not: small('Sign in', `${login}<div id="turnstile-wrapper">${turnstile}</div>`),
  }),
  structural('footer-inner', CLOUDFLARE, '<div class="footer-inner"><div class="ray-id">Ray ID</div></div>'),
  structural('cf-error-code', 'blocked cloudflare', '<span class="cf-error-code">1020</span> Access denied', {
    not: small('Mill', '<span class="cf-error-code">522</span> The mill does not answer'),
  }),
  spoken('sorry, you have been blocked', 'blocked cloudflare', 'Sorry, you have been blocked'),
  spoken('just a moment', CLOUDFLARE, 'Just a moment...', { status: 503 }),
  spoken('checking your browser', CLOUDFLARE, 'Checking your browser before you enter', { status: 503 }),
  spoken('attention required', CLOUDFLARE, 'Attention Required!', { status: 403 }),
  structural('cf-turnstile', CLOUDFLARE, '<h1>Just a moment</h1><div class="cf-turnstile"></div>', {
    not: small('Sign in', `<h1>Mill</h1>${login}<div class="cf-turnstile"></div>`),
  }),

  spoken(
    'reference #',
    'blocked akamai',
    'Access Denied Reference&#32;&#35;18&#46;6d7c3b17&#46;1700000000&#46;1a2b3c4d',
    {
      not: small('Order', '<h1>Your order, reference #18.50</h1>'),
    },
  ),
  spoken('access denied', 'blocked akamai', 'Access Denied https://errors.edgesuite.net/18.6d'),
  spoken('pardon our interruption', 'blocked akamai', 'Pardon Our Interruption', { status: 403 }),

  structural('captcha-delivery.com', 'blocked datadome', '<iframe src="https://geo.captcha-delivery.com/c"></iframe>'),
  structural("dd={'rt':", 'blocked datadome', script("var dd={'rt':'c','cid':'x'}"), { status: 403 }),

  structural('window._pxAppId', 'challenge human', script("window._pxAppId='PX1';window._pxUuid='u'"), {
    not: article('Sensor', script("window._pxAppId='PX1';s.src='/x/init.js'")),
  }),
  structural('captcha.px-cdn.net', 'challenge human', source('https://captcha.px-cdn.net/PX1/captcha.js')),
  structural('px-captcha', 'challenge human', '<div id="px-captcha"></div>'),
  structural('/captcha/captcha.js?a=c', 'challenge human', source('/x/captcha/captcha.js?a=c&u=1')),
  structural('window._pxAppId alone', 'challenge human', script("window._pxAppId='PX1'"), {
    status: 403,
    not: small('Mill', script("window._pxAppId='PX1'")),
  }),
  spoken('access to this page has been denied', 'challenge human', 'Access to this page has been denied', {
    status: 403,
  }),

  structural('_Incapsula_Resource', 'blocked imperva', '<iframe src="/_Incapsula_Resource?CWUDNSAI=1"></iframe>', {
    not: article('Mill', source('/_Incapsula_Resource?SWJIYLWA=719d')),
  }),
  spoken('incapsula incident id', 'blocked imperva', 'Incapsula incident ID: 1-2'),
  spoken('request unsuccessful', 'blocked imperva', 'Request unsuccessful', { status: 403 }),

  structural(
    'KPSDK.scriptStart',
    'challenge kasada',
    script('window.KPSDK={};KPSDK.now=1;KPSDK.scriptStart=KPSDK.now'),
  ),
  structural('/ips.js?', 'challenge kasada', source('/x/ips.js?ak=1'), { status: 429 }),
  structural(
    '/149e9513-01fa-4fb0-aad4-566afd725d1b/',
    'challenge kasada',
    source('/149e9513-01fa-4fb0-aad4-566afd725d1b/2d/f'),
    {
      status: 429,
    },
  ),

  structural('awsWafCookieDomainList', 'challenge aws_waf', script('window.awsWafCookieDomainList=[]')),
  structural('gokuProps', 'challenge aws_waf', script('window.gokuProps={"key":"x"}')),
  structural('token.awswaf.com', 'challenge aws_waf', source('https://a.token.awswaf.com/a/challenge.js'), {
    status: 405,
  }),
  spoken(
    'generated by cloudfront',
    'blocked cloudfront',
    'The request could not be satisfied. Generated by cloudfront',
  ),
  spoken('request could not be satisfied', 'blocked cloudfront', 'The request could not be satisfied.', {
    status: 403,
  }),
  spoken('configured to block access', 'blocked cloudfront', 'It is configured to block access from here', {
    status: 403,
  }),

  structural('src="/TSPD/', 'challenge f5', '<script src="/TSPD/08a?type=10"></script>', { status: 403 }),
  spoken('the requested url was rejected', 'blocked f5', 'The requested URL was rejected. Your support ID is: 1', {
    status: 403,
  }),
  spoken('sucuri website firewall', 'blocked sucuri', 'Sucuri WebSite Firewall - Access Denied'),
  {
    title: 'DDoS-Guard by its title',
    sign: '^ddos-guard$',
    verdict: 'challenge ddos_guard',
    html: small('DDoS-Guard', ''),
    not: small('What DDoS-Guard does', ''),
  },
  structural('/.well-known/ddos-guard/', 'challenge ddos_guard', source('/.well-known/ddos-guard/js/check.js'), {
    status: 403,
  }),
  spoken('ddos-guard', 'challenge ddos_guard', 'Protected by DDoS-Guard', { status: 403 }),
  spoken('vercel security checkpoint', 'challenge vercel', 'Vercel Security Checkpoint: we are verifying your browser'),
  spoken(
    'vercel security checkpoint failed',
    'blocked vercel',
    'Vercel Security Checkpoint: Failed to verify your browser',
  ),
  structural(
    '/.within.website/x/cmd/anubis/',
    'challenge anubis',
    source('/.within.website/x/cmd/anubis/static/main.mjs'),
    {
      html: small('Making sure you&#39;re not a bot!', source('/.within.website/x/cmd/anubis/static/main.mjs')),
    },
  ),
  spoken("making sure you're not a bot", 'challenge anubis', 'Making sure you’re not a bot!', { status: 403 }),
  structural('_____tmd_____', 'challenge alibaba', source('//mill.test/_____tmd_____/punish.js')),
  structural('x5secdata', 'challenge alibaba', script('location="/?x5secdata=1"')),
  structural('perfdrive.com', 'challenge radware', source('https://cdn.perfdrive.com/a.js'), { status: 403 }),
  structural('ShieldSquare', 'challenge radware', script('var ShieldSquare=1'), { status: 403 }),
  structural('rbzns', 'challenge reblaze', script('window.rbzns={};winsocks(1)'), { status: 403 }),
  spoken(
    'generated by wordfence',
    'blocked wordfence',
    'Your access to this site has been limited. Generated by Wordfence',
  ),
  spoken(
    'your access to this site has been limited',
    'blocked wordfence',
    'Your access to this site has been limited',
    {
      status: 503,
    },
  ),
  structural(
    'captcha-form',
    'challenge google',
    `<form id="captcha-form"></form><h1>Unusual traffic from your computer network</h1><p>${SENTENCES.repeat(5)}</p>`,
  ),
  spoken('unusual traffic', 'challenge google', 'Our systems have detected unusual traffic from your computer network'),
  spoken('error 429', 'challenge google', 'Error 429 (Too Many Requests)!!1'),
  spoken('please click here', 'challenge google', 'Please click here if you are not redirected', { status: 429 }),
  spoken(
    'blocked by network security',
    'blocked reddit',
    'You have been blocked by network security. Log in to your Reddit account',
  ),
  spoken('blocked by network security alone', 'blocked reddit', 'You have been blocked by network security', {
    status: 403,
  }),
  spoken('wikimedia', 'blocked wikimedia', 'Please report this error to the Wikimedia System Administrators'),
  structural('/errors/validateCaptcha', 'challenge amazon', '<form action="/errors/validateCaptcha"></form>'),
  spoken('enter the characters', 'challenge amazon', 'Enter the characters you see below'),
  spoken('sorry! something went wrong', 'blocked amazon', 'Sorry! Something went wrong', { status: 503 }),
  spoken('baidu', 'challenge baidu', '百度安全验证'),
  structural('initGeetest', 'challenge geetest', script('initGeetest({})'), {
    status: 403,
    not: small('Sign in', `${login}${script('initGeetest({})')}`),
  }),
  structural('arkoselabs.com', 'challenge arkose', source('https://client-api.arkoselabs.com/v2/api.js'), {
    not: small('Sign in', `${login}${source('https://client-api.arkoselabs.com/v2/api.js')}`),
  }),
  structural('h-captcha', 'challenge hcaptcha', '<div class="h-captcha"></div>', {
    not: small('Sign in', `${login}<div class="h-captcha"></div>`),
  }),
  structural('g-recaptcha', 'challenge recaptcha', '<div class="g-recaptcha"></div>', {
    not: small('Write to us', `<form><input name="mail"></form><div class="g-recaptcha"></div>`),
  }),
  spoken('in your country', 'geo_or_legal country', 'This film is not available in your country'),
  spoken('verify you are human', 'challenge unnamed', 'Verify you are human', { status: 403 }),
  spoken('enable javascript', 'challenge unnamed', 'Enable JavaScript and cookies to continue', { status: 403 }),
  spoken('security check', 'challenge unnamed', 'One more step: a security check', { status: 403 }),
  spoken('unusual activity', 'challenge unnamed', 'There was unusual activity', { status: 403 }),
  spoken('request blocked', 'blocked unnamed', 'Request blocked', { status: 403 }),
  spoken('bot detected', 'blocked unnamed', 'Bot detected', { status: 403 }),
];

/** Pages that other detectors mistake for blocks. */
export const LOOK_ALIKES: readonly (readonly [title: string, html: string])[] = [
  ['a domain for sale', small('mill.test', '<h1>mill.test is for sale</h1><p>Make an offer for this domain.</p>')],
  ['a page of a few words', small('Closed', '<p>The mill is closed today.</p>')],
  ['a consent wall', small('Before you go on', '<h1>We use cookies</h1><button>Accept all</button>')],
  ['a login form', small('Sign in', login)],
  ['a soft 404', small('Nothing here', '<h1>Page not found</h1><p>The address is wrong.</p>')],
  ['a maintenance page', small('Back soon', '<h1>Down for maintenance</h1><p>Try again later.</p>')],
  ['template placeholders', small('{{ title }}', '<a href="${url}">{{ name }}</a> <% if (ok) { %>yes<% } %>')],
  ['an article about bot protection', article('How to pass a CAPTCHA', '<p>DataDome, PerimeterX, Access Denied.</p>')],
  ['an article whose title speaks of a block', article('“Just a moment...”: why browsers are checked', '')],
  ['a page with Cloudflare’s telemetry', article('Rye', source('/cdn-cgi/challenge-platform/scripts/jsd/main.js'))],
  [
    'an article whose state quotes a challenge',
    article('Rye', `<script>self.__next_f.push([1,"window._cf_chl_opt={}"])</script>`),
  ],
  [
    'an article whose description quotes a challenge',
    article('Rye', `<script type="application/ld+json">{"text":"window._cf_chl_opt={}"}</script>`),
  ],
  ['a page with a comment about a challenge', article('Rye', '<!-- window._cf_chl_opt={} -->')],
];
