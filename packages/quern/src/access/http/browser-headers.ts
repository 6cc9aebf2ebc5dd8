import { DEPTH_HEADER } from '#access/guard/guard.ts';
import type { RenderOptions, Device } from '#access/page.ts';

/** The headers of a browser's navigation, in its order; names in the case it writes on HTTP/1.1. */
export type Profile = readonly (readonly [name: string, value: string])[];

const BROWSER_VERSION = 149;

/** Chromium on Linux opening a page that was typed into the address bar. */
export const DESKTOP: Profile = [
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
 * The headers of one request as undici's flat list: the profile's, a caller's value in the place of a profile's, the
 * caller's others after them, then the cookies and the mark that stops a fetch of ourselves.
 */
export function toRequestHeaders(profile: Profile, own: Readonly<Record<string, string>>, cookie: string): string[] {
  const names = Object.keys(own);
  const headers: string[] = [];
  const replaced = new Set<string>();
  for (const [name, value] of profile) {
    const given = names.find((one) => one.toLowerCase() === name.toLowerCase());
    if (given !== undefined) replaced.add(given);
    headers.push(name, given === undefined ? value : (own[given] ?? value));
  }
  for (const name of names) if (!replaced.has(name)) headers.push(name, own[name] ?? '');
  if (cookie !== '') headers.push('Cookie', cookie);
  headers.push(DEPTH_HEADER, '1');
  return headers;
}

/** A profile that identifies the service: `userAgent`, or its own with `mark` after it. */
export function withName(
  profile: Profile,
  { userAgent, mark }: { readonly userAgent: string | null; readonly mark: string },
): Profile {
  return profile.map(([name, value]) =>
    name === 'User-Agent' ? ([name, userAgent ?? `${value} ${mark}`] as const) : ([name, value] as const),
  );
}

/** The same browser on a phone, or telling of another language; nothing of a header that is not a browser's changes. */
export function adaptProfile(profile: Profile, options: Pick<RenderOptions, 'device' | 'locale'> | undefined): Profile {
  if (options === undefined) return profile;
  const { device, locale } = options;
  const values: Readonly<Record<string, (value: string) => string>> = {
    'User-Agent': (value) => nameOn(device, value),
    ...(device === 'mobile' ? { 'sec-ch-ua-mobile': () => '?1', 'sec-ch-ua-platform': () => '"Android"' } : {}),
    ...(locale === null ? {} : { 'Accept-Language': () => toAcceptLanguage(locale) }),
  };
  return profile.map(([name, value]) => [name, values[name]?.(value) ?? value] as const);
}

/** A profile under the name that another browser gave itself; `named` has lower-case names. */
export function overrideProfile(profile: Profile, named: Readonly<Record<string, string>>): Profile {
  return profile.map(([name, value]) => [name, named[name.toLowerCase()] ?? value] as const);
}

/** The name on a device of the browser with this desktop name. */
export function nameOn(device: Device, name: string): string {
  if (device === 'desktop') return name;
  return name.replace('(X11; Linux x86_64)', '(Linux; Android 10; K)').replace(' Safari/', ' Mobile Safari/');
}

function toAcceptLanguage(locale: string): string {
  const [language = locale] = locale.split('-');
  return language === locale ? locale : `${locale},${language};q=0.9`;
}
