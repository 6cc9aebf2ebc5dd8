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
export function isServiceFrame(url: URL | null, names: readonly string[]): boolean {
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
export function isWidgetFrame(url: URL, names: readonly string[]): boolean {
  return [`${url.host}${url.pathname}`, ...names].some((text) => WIDGET_WORD.test(text));
}

/** Whether a host is one of the domains or a subdomain of one. */
function isInDomains(hostname: string, domains: ReadonlySet<string>): boolean {
  const labels = hostname.split('.');
  return labels.some((_, at) => domains.has(labels.slice(at).join('.')));
}
