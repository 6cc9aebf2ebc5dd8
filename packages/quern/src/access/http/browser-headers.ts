import { DEPTH_HEADER } from '#access/guard/guard.ts';
import type { RenderOptions, Device } from '#access/page.ts';

/** The headers of a browser navigation, in order; names in the case that the browser uses with HTTP/1.1. */
export type HeaderProfile = readonly (readonly [name: string, value: string])[];

const BROWSER_VERSION = 149;

/** Headers of Chromium on Linux for a URL typed into the address bar. */
export const DESKTOP_PROFILE: HeaderProfile = [
  ['sec-ch-ua', `"Chromium";v="${BROWSER_VERSION}", "Not)A;Brand";v="24"`],
  ['sec-ch-ua-mobile', '?0'],
  ['sec-ch-ua-platform', '"Linux"'],
  ['Upgrade-Insecure-Requests', '1'],
  [
    'User-Agent',
    `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${BROWSER_VERSION}.0.0.0 Safari/537.36`,
  ],
  ['Accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'],
  ['Sec-Fetch-Site', 'none'],
  ['Sec-Fetch-Mode', 'navigate'],
  ['Sec-Fetch-User', '?1'],
  ['Sec-Fetch-Dest', 'document'],
  ['Accept-Encoding', 'gzip, deflate, br, zstd'],
  ['Accept-Language', 'en-US,en;q=0.9'],
];

/**
 * Builds the headers of one request as undici's flat list: those of the profile, with values replaced by those of the
 * caller; then further headers of the caller, the cookies, and the header that prevents requests to this service itself.
 */
export function toRequestHeaders(
  profile: HeaderProfile,
  own: Readonly<Record<string, string>>,
  cookie: string,
): string[] {
  const names = Object.keys(own);
  const headers: string[] = [];
  const replaced = new Set<string>();
  for (const [name, value] of profile) {
    const sentName = names.find((one) => one.toLowerCase() === name.toLowerCase());
    if (sentName !== undefined) replaced.add(sentName);
    headers.push(name, sentName === undefined ? value : (own[sentName] ?? value));
  }
  for (const name of names) if (!replaced.has(name)) headers.push(name, own[name] ?? '');
  if (cookie !== '') headers.push('Cookie', cookie);
  headers.push(DEPTH_HEADER, '1');
  return headers;
}

/** A profile that identifies the service: with `userAgent`, or the User-Agent of the profile followed by `mark`. */
export function identifyProfile(
  profile: HeaderProfile,
  { userAgent, mark }: { readonly userAgent: string | null; readonly mark: string },
): HeaderProfile {
  return profile.map(([name, value]) =>
    name === 'User-Agent' ? ([name, userAgent ?? `${value} ${mark}`] as const) : ([name, value] as const),
  );
}

/** Adapts a profile to device and locale; a User-Agent that is not that of a browser is not changed. */
export function adaptProfile(
  profile: HeaderProfile,
  options: Pick<RenderOptions, 'device' | 'locale'> | undefined,
): HeaderProfile {
  if (options === undefined) return profile;
  const { device, locale } = options;
  const values: Readonly<Record<string, (value: string) => string>> = {
    'User-Agent': (value) => toDeviceUserAgent(device, value),
    ...(device === 'mobile' ? { 'sec-ch-ua-mobile': () => '?1', 'sec-ch-ua-platform': () => '"Android"' } : {}),
    ...(locale === null ? {} : { 'Accept-Language': () => toAcceptLanguage(locale) }),
  };
  return profile.map(([name, value]) => [name, values[name]?.(value) ?? value] as const);
}

/** Replaces headers of a profile by those of another browser; `named` has lower-case names. */
export function overrideProfile(profile: HeaderProfile, named: Readonly<Record<string, string>>): HeaderProfile {
  return profile.map(([name, value]) => [name, named[name.toLowerCase()] ?? value] as const);
}

/** The User-Agent for a device, from the desktop User-Agent. */
export function toDeviceUserAgent(device: Device, name: string): string {
  if (device === 'desktop') return name;
  return name.replace('(X11; Linux x86_64)', '(Linux; Android 10; K)').replace(' Safari/', ' Mobile Safari/');
}

function toAcceptLanguage(locale: string): string {
  const [language = locale] = locale.split('-');
  return language === locale ? locale : `${locale},${language};q=0.9`;
}
