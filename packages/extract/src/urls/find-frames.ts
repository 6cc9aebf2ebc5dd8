import { parseHtml } from '#extract/html/parse.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import {
  findNextTag,
  getAttribute,
  getKnownAttribute,
  getParent,
  getTag,
  readText,
  type Tree,
} from '#extract/html/tree.ts';
import { readHiding } from '#extract/view/hidden-elements.ts';
import type { ResolveReference } from '#extract/view/resolve-reference.ts';
import type { ReadWarning } from '#extract/warnings.ts';
import { removeFragment } from './url-parts.ts';
import { isUnsafeLink } from './unsafe-links.ts';

/** Domains whose frames show no content: advertising, analytics, captchas, payment, chat, consent, sign-in, sharing. */
const SERVICE_DOMAINS: ReadonlySet<string> = new Set(
  [
    'doubleclick.net googlesyndication.com googleadservices.com googletagmanager.com googletagservices.com 2mdn.net',
    'adnxs.com amazon-adsystem.com taboola.com outbrain.com criteo.com criteo.net rubiconproject.com pubmatic.com openx.net',
    'casalemedia.com smartadserver.com teads.tv adform.net adsrvr.org yieldlab.net mediavoice.com sharethrough.com ads-twitter.com',
    'google-analytics.com hotjar.com scorecardresearch.com quantserve.com demdex.net bluekai.com krxd.net rlcdn.com everesttech.net',
    'crwdcntrl.net adsafeprotected.com moatads.com ioam.de mathtag.com bidswitch.net 3lift.com id5-sync.com liadm.com',
    'recaptcha.net hcaptcha.com challenges.cloudflare.com arkoselabs.com funcaptcha.com captcha-delivery.com geetest.com',
    'js.stripe.com m.stripe.network paypal.com klarna.com accounts.google.com appleid.apple.com',
    'intercom.io zendesk.com zdassets.com drift.com tawk.to crisp.chat hubspot.com livechatinc.com',
    'cookiebot.com onetrust.com cookielaw.org privacy-mgmt.com sp-prod.net consensu.org trustarc.com usercentrics.eu didomi.io',
    'facebook.com facebook.net twitter.com x.com platform.twitter.com instagram.com linkedin.com pinterest.com reddit.com addthis.com',
    'addtoany.com sharethis.com disqus.com disquscdn.com trustpilot.com vk.com snapwidget.com lightwidget.com ghbtns.com',
    'mgid.com pos.baidu.com tanx.com adwired.ch imasdk.googleapis.com optimizely.com tinypass.com piano.io trendmd.com blink.net',
    'ck-cdn.com messengerpeople.com mailjet.com leguide.com barnebys.com',
  ].flatMap((line) => line.split(' ')),
);
/** Domains of media players, which are rendered as links. */
const PLAYER_DOMAINS: ReadonlySet<string> = new Set(
  [
    'youtube.com youtube-nocookie.com youtu.be vimeo.com dailymotion.com twitch.tv wistia.com wistia.net brightcove.net brightcove.com',
    'jwplatform.com jwplayer.com cdn.jwplayer.com loom.com tiktok.com vidyard.com bilibili.com rutube.ru ok.ru vkvideo.ru kaltura.com',
    'streamable.com ted.com spotify.com soundcloud.com bandcamp.com mixcloud.com deezer.com podbean.com libsyn.com buzzsprout.com',
    'megaphone.fm simplecast.com acast.com omny.fm podigee.io embed.music.apple.com embed.podcasts.apple.com anchor.fm art19.com',
    'youku.com v.qq.com nicovideo.jp cloudflarestream.com mediadelivery.net piksel.com ooyala.com theplatform.com screen9.com',
  ].flatMap((line) => line.split(' ')),
);
/** URLs and element names of such frames on any domain. */
const SERVICE_ADDRESS =
  /^(?:[\w.-]*\.)?google\.[a-z.]+\/(?:recaptcha|maps)\b|^maps\.google\.|^(?:(?:pub)?ads?|adserver|adservice|recaptcha)\d*\.|safe-?frame|\/(?:recaptcha|captcha|turnstile|adserver|ads?|y?ads|gtm|fls|user_?sync|cookie-?sync|ns\.html)(?:[/.?]|$)|\.(?:mp4|webm|m3u8|mp3|swf)$/i;
const SERVICE_NAME =
  /^(?:aswift|google_ads|ad[sx]?[-_]|gtm)|(?:^|[\s_-])(?:ads|adframe|adslot|adsense|re?captcha|turnstile)(?:$|[\s_-])|^advertisement$/i;
/** Words in the URL or the names of frames that are rarely content: forms, buttons, players, script helpers. */
const WIDGET_WORD =
  /(?:^|[/._\s-])(?:xauth|client_storage|log-?in|sign-?(?:in|up)|register|subscri\w*|newsletters?|checkout|promo|widgets?\d*|plugins?|btn|curatebutton|button|like|share|banners?|track(?:ing|er)?|pixel|analytics|metrics|consent|cookies?|cmp|sso|beacon|proxy\w*|ads?|advert\w*|sponsor\w*|affiliate|comments?|commentpush|poll|encuestas|forms?|\w*form|email|footer\w*|connect|xd|bridge[\d_.a-z]*|serve|chat|weblite|social|tweet|video|videos|audio\w*|podcast|\w*player|panel|abo)(?=$|[/._\s-])/i;

/** Whether a frame belongs to a service or player, by its URL and its names in the page. */
function isServiceFrame(url: URL | null, names: readonly string[]): boolean {
  if (names.some((name) => SERVICE_NAME.test(name))) return true;
  if (url === null) return false;
  return (
    isInDomains(url.hostname, SERVICE_DOMAINS) ||
    isInDomains(url.hostname, PLAYER_DOMAINS) ||
    SERVICE_ADDRESS.test(`${url.host}${url.pathname}`)
  );
}

/** Whether loading a frame may log out or change something; such a frame is never read. */
export function isUnsafeUrl(url: string): boolean {
  const { pathname: path, search } = new URL(url);
  return isUnsafeLink({ path, query: search.slice(1) });
}

/**
 * Whether a frame looks like a form, a button or a script helper. It is read if frames are requested, but no warning
 * mentions it.
 */
function isWidgetFrame(url: URL, names: readonly string[]): boolean {
  return [`${url.host}${url.pathname}`, ...names].some((text) => WIDGET_WORD.test(text));
}

/** Whether a host is one of the domains or a subdomain of one. */
function isInDomains(hostname: string, domains: ReadonlySet<string>): boolean {
  const labels = hostname.split('.');
  return labels.some((_, at) => domains.has(labels.slice(at).join('.')));
}

/** A frame that may show content: another document, or HTML in its `srcdoc`. */
export type Frame =
  | { readonly kind: 'address'; readonly url: string }
  | { readonly kind: 'srcdoc'; readonly html: string; readonly baseUrl: string };

/** A frame and its element. */
export type FrameNode = { readonly node: number; readonly frame: Frame };

/** The most frames of a page that are considered, per tag. */
const MAX_FRAMES = 200;
/** Frames with a side of at most this many pixels only track or report. */
const MAX_TINY_PX = 10;
/** The most characters of a name that are considered. */
const MAX_NAME_LENGTH = 300;
/** Document types that `object` and `embed` show; without a type the URL decides. */
const DOCUMENT_TYPE = /^(?:text\/html|application\/(?:xhtml\+xml|pdf|x-pdf))\s*(?:;|$)/i;
const DOCUMENT_PATH = /\.(?:pdf|x?html?|php|aspx?|jsp)$|\/$/i;

/** Whether to find all frames that may show content, or only those that deserve a warning. */
export type FrameSearch = 'all' | 'likely';

type FrameContext = { readonly pageUrl: string; readonly resolve: ResolveReference; readonly search: FrameSearch };

/**
 * Finds the frames of a page that may show content, in document order. Skips hidden and tiny frames, and those of
 * advertising, analytics, captchas, players and other services.
 */
export function findFrames(tree: Tree, context: FrameContext): readonly FrameNode[] {
  const found: FrameNode[] = [];
  const nodes = [TAG.frame, TAG.iframe, TAG.object, TAG.embed].flatMap((tag) => listNodes(tree, tag));
  for (const node of nodes.toSorted((one, other) => one - other)) {
    const frame = readFrame(tree, node, context);
    if (frame === null || !isVisible(tree, node)) continue;
    // A page cannot be a frame of itself.
    if (frame.kind === 'address' && removeFragment(frame.url) === removeFragment(context.pageUrl)) continue;
    found.push({ node, frame });
  }
  return found;
}

function listNodes(tree: Tree, tag: number): readonly number[] {
  const nodes: number[] = [];
  for (let node = findNextTag(tree, tag, 1); node !== 0 && nodes.length < MAX_FRAMES;) {
    nodes.push(node);
    node = findNextTag(tree, tag, node + 1);
  }
  return nodes;
}

function readFrame(tree: Tree, node: number, { pageUrl, resolve, search }: FrameContext): Frame | null {
  const tag = getTag(tree, node);
  const names = listNames(tree, node);
  const html = tag === TAG.iframe ? getAttribute(tree, node, 'srcdoc') : null;
  if (html !== null) {
    const isNothing = isServiceFrame(null, names) || readText(parseHtml(html), 0).trim() === '';
    return isNothing ? null : { kind: 'srcdoc', html, baseUrl: resolve('') ?? pageUrl };
  }
  const reference = readReference(tree, node);
  const url = reference === '' || /^about:/i.test(reference) ? null : resolve(reference);
  if (url === null || !/^https?:/.test(url)) return null;
  const frame: Frame = { kind: 'address', url };
  if (tag === TAG.frame) return frame;
  if (tag !== TAG.iframe && !showsDocument(tree, node, url)) return null;
  const to = new URL(url);
  if (isServiceFrame(to, names)) return null;
  return search === 'likely' && (isWidgetFrame(to, names) || isUnsafeUrl(url)) ? null : frame;
}

function listNames(tree: Tree, node: number): readonly string[] {
  return [ATTRIBUTE.id, ATTRIBUTE.name, ATTRIBUTE.class, ATTRIBUTE.title].map((id) =>
    (getKnownAttribute(tree, node, id) ?? '').slice(0, MAX_NAME_LENGTH),
  );
}

/** The URL of a frame; for lazily loaded ones that of `data-src`. */
function readReference(tree: Tree, node: number): string {
  if (getTag(tree, node) === TAG.object) return getAttribute(tree, node, 'data')?.trim() ?? '';
  const source = getKnownAttribute(tree, node, ATTRIBUTE.src)?.trim() ?? '';
  const isLate = getTag(tree, node) === TAG.iframe && (source === '' || /^about:/i.test(source));
  return isLate ? (getKnownAttribute(tree, node, ATTRIBUTE.dataSrc)?.trim() ?? '') : source;
}

/** Whether an `object` or `embed` shows a page or a PDF, not an image or program. */
function showsDocument(tree: Tree, node: number, url: string): boolean {
  const type = getKnownAttribute(tree, node, ATTRIBUTE.type)?.trim() ?? '';
  return type === '' ? DOCUMENT_PATH.test(new URL(url).pathname) : DOCUMENT_TYPE.test(type);
}

/** Whether a frame is visible: it is not tiny, and neither it nor an ancestor is hidden. */
function isVisible(tree: Tree, frame: number): boolean {
  if (isTiny(tree, frame)) return false;
  for (let node = frame; node !== 0; node = getParent(tree, node)) {
    if (readHiding(tree, node) !== 0 || getTag(tree, node) === TAG.template) return false;
    // The content of an object is shown only if the object cannot be.
    if (node !== frame && getTag(tree, node) === TAG.object) return false;
  }
  return true;
}

function isTiny(tree: Tree, frame: number): boolean {
  const style = getKnownAttribute(tree, frame, ATTRIBUTE.style) ?? '';
  // Its size is set by a script or a minimum.
  if (/min-(?:width|height)/i.test(style)) return false;
  const stated = [ATTRIBUTE.width, ATTRIBUTE.height].map((id) => getKnownAttribute(tree, frame, id) ?? '');
  const styled = [...style.matchAll(/(?<![\w-])(?:width|height)\s*:\s*(\d+(?:px)?)\s*(?:;|!|$)/gi)].map(
    ([, size = '']) => size,
  );
  const sizes = [...stated, ...styled].flatMap((text) => /^\s*(\d+)(?:\.\d+)?(?:px)?\s*$/i.exec(text)?.[1] ?? []);
  return sizes.some((size) => Number(size) <= MAX_TINY_PX);
}

/** A frame, and why it is missing from the page or truncated. */
export type FrameNote = { readonly frame: Frame; readonly reason: string };

/** The most frames that a warning lists. */
const MAX_LISTED = 5;
/** The most characters of a URL in a warning. */
const MAX_URL_LENGTH = 300;

/** The warning that a page has frames that may contain content, and how to request them. */
export function buildOmittedFramesWarning(frames: readonly Frame[]): ReadWarning {
  const message = `the content of frames is not part of the page: ${formatList(frames.map(formatFrame))}; frames: true reads it`;
  return { code: 'frames_left_out', message };
}

/** The warning that the content of frames is truncated, with the reason for each. */
export function buildCutFramesWarning(cut: readonly FrameNote[]): ReadWarning {
  return { code: 'truncated', message: `frames that came only in part: ${formatList(cut.map(formatNote))}` };
}

/** The warning that requested frames could not be read, with the reason for each. */
export function buildUnreadFramesWarning(unread: readonly FrameNote[]): ReadWarning {
  return { code: 'frames_left_out', message: `frames that could not be read: ${formatList(unread.map(formatNote))}` };
}

function formatNote({ frame, reason }: FrameNote): string {
  return `${formatFrame(frame)} (${reason})`;
}

function formatFrame(frame: Frame): string {
  return frame.kind === 'srcdoc' ? 'srcdoc' : frame.url.slice(0, MAX_URL_LENGTH);
}

function formatList(texts: readonly string[]): string {
  const each = [...new Set(texts)];
  const more = each.length > MAX_LISTED ? ` and ${each.length - MAX_LISTED} more` : '';
  return `${each.slice(0, MAX_LISTED).join(', ')}${more}`;
}
