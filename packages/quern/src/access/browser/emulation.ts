import type { RenderOptions } from '#access/page.ts';
import type { BrowserKind } from './binaries.ts';
import { SCREEN, WINDOW, buildUserAgent } from './flags.ts';
import type { Tab } from './tab.ts';

/** Device pixels for each CSS pixel. */
export const DEVICE_SCALES: Readonly<Record<RenderOptions['device'], number>> = { desktop: 1, mobile: 2 };

const PHONE_METRICS = { width: 412, height: 915, deviceScaleFactor: DEVICE_SCALES.mobile, mobile: true };
const DESKTOP_METRICS = {
  ...WINDOW,
  deviceScaleFactor: DEVICE_SCALES.desktop,
  mobile: false,
  screenWidth: SCREEN.width,
  screenHeight: SCREEN.height,
};

/**
 * Without a screenshot, only one pixel of the page is drawn. Frames are produced as usual, and the page sees the normal sizes of
 * itself and its screen (DevTools `Emulation.setDeviceMetricsOverride`, `viewport`).
 */
const ONE_PIXEL_VIEWPORT = { viewport: { x: 0, y: 0, width: 1, height: 1, scale: 1 } };

export type EmulationOptions = {
  readonly kind: BrowserKind;
  readonly version: number;
  readonly renderOptions: RenderOptions;
};

/** Emulates the requested device and locale, and a focused window. */
export async function applyEmulation(tab: Tab, { kind, version, renderOptions }: EmulationOptions): Promise<void> {
  const { device, locale, userAgent } = renderOptions;
  const works = [tab.setOnce('Emulation.setFocusEmulationEnabled', { enabled: true })];
  const isSeen = kind === 'full' || renderOptions.screenshot !== null || renderOptions.pdf;
  const viewport = renderOptions.screenshot?.viewport;
  if (device === 'mobile') {
    works.push(
      tab.setOnce(
        'Emulation.setDeviceMetricsOverride',
        isSeen ? { ...PHONE_METRICS, ...viewport } : { ...PHONE_METRICS, ...ONE_PIXEL_VIEWPORT },
      ),
      tab.setOnce('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 5 }),
    );
  } else if (!isSeen) {
    works.push(tab.setOnce('Emulation.setDeviceMetricsOverride', { ...DESKTOP_METRICS, ...ONE_PIXEL_VIEWPORT }));
  } else if (viewport !== undefined) {
    const { width, height } = viewport;
    const screen = { screenWidth: Math.max(SCREEN.width, width), screenHeight: Math.max(SCREEN.height, height) };
    works.push(tab.setOnce('Emulation.setDeviceMetricsOverride', { ...DESKTOP_METRICS, ...viewport, ...screen }));
  }
  if (locale !== null) works.push(tab.setOnce('Emulation.setLocaleOverride', { locale }));
  // The light browser reveals itself in client hints. A locale moves Accept-Language, so set it only on request.
  if (kind === 'shell' || device === 'mobile' || locale !== null || userAgent !== null) {
    works.push(tab.setOnce('Emulation.setUserAgentOverride', buildUserAgentOverride(version, renderOptions)));
  }
  await Promise.all(works);
}

function buildUserAgentOverride(
  version: number,
  { device, locale, userAgent }: RenderOptions,
): Readonly<Record<string, unknown>> {
  const brands = [
    { brand: 'Chromium', version: `${version}` },
    { brand: 'Not)A;Brand', version: '24' },
  ];
  const isPhone = device === 'mobile';
  return {
    userAgent: userAgent ?? buildUserAgent(version, device),
    ...(locale === null ? {} : { acceptLanguage: toLanguageList(locale) }),
    platform: isPhone ? 'Linux armv81' : 'Linux x86_64',
    userAgentMetadata: {
      brands,
      fullVersionList: brands.map((one) => ({ brand: one.brand, version: `${one.version}.0.0.0` })),
      platform: isPhone ? 'Android' : 'Linux',
      platformVersion: isPhone ? '10' : '',
      architecture: isPhone ? '' : 'x86',
      bitness: isPhone ? '' : '64',
      model: isPhone ? 'K' : '',
      mobile: isPhone,
      wow64: false,
    },
  };
}

/** The language list that a browser sends for a locale such as `de-AT`: the locale, then its language. */
function toLanguageList(locale: string): string {
  const [language = locale] = locale.split('-');
  return language === locale ? locale : `${locale},${language}`;
}
