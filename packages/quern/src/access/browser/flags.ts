import type { BrowserKind } from './binaries.ts';

export type FlagOptions = {
  /** `shell` loads no images, `full` looks like a normal browser. */
  readonly kind: BrowserKind;
  /** Its major version, for the User-Agent. */
  readonly version: number;
  readonly profile: string;
  /** The egress proxy, the only address that it may connect to. */
  readonly proxy: { readonly host: string; readonly port: number };
  readonly sandbox: boolean;
  /** Whether shared memory is large enough for a browser. */
  readonly sharedMemory: boolean;
};

/** Without any of these flags traffic leaks: loopback bypasses proxies, and each program obeys only one of the WebRTC flags. */
function buildEgressFlags({ proxy }: FlagOptions): readonly string[] {
  return [
    `--proxy-server=http://${proxy.host}:${proxy.port}`,
    '--proxy-bypass-list=<-loopback>',
    '--webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--disable-quic',
    `--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE ${proxy.host}`,
  ];
}

/** No background traffic of the browser, and no prompts. */
const QUIET_FLAGS: readonly string[] = [
  '--headless=new',
  '--remote-debugging-pipe',
  '--no-first-run',
  '--no-default-browser-check',
  '--no-pings',
  // It contacts its search engine from time to time even without a search.
  '--google-base-url=http://127.0.0.1/',
  '--no-service-autorun',
  '--disable-background-networking',
  '--disable-breakpad',
  '--disable-crash-reporter',
  '--disable-client-side-phishing-detection',
  '--disable-component-extensions-with-background-pages',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-extensions',
  '--disable-field-trial-config',
  '--disable-hang-monitor',
  '--disable-prompt-on-repost',
  '--disable-search-engine-choice-screen',
  '--disable-sync',
  '--deny-permission-prompts',
  '--metrics-recording-only',
  '--mute-audio',
  '--password-store=basic',
  '--use-mock-keychain',
];

/** Pages in the background run at full speed. */
const AWAKE_FLAGS: readonly string[] = [
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
];

const DISABLED_FEATURES: readonly string[] = [
  'AutofillServerCommunication',
  // Never used, and a cached page would keep running.
  'BackForwardCache',
  'CertificateTransparencyComponentUpdater',
  'DialMediaRouteProvider',
  'InterestFeedContentSuggestions',
  'MediaRouter',
  'OptimizationHints',
  'SearchEnginePreconnect2',
  'PreconnectFromKeyedService',
  'PreconnectToSearch',
  'Prewarm',
  'PreloadTopChromeWebUI',
  // A new frame for each document of a page.
  'RenderDocument',
  'SpareRendererForSitePerProcess',
  'Translate',
  // The suggestions below the address bar are pages of their own for each window, and half of what a start takes.
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
];

/** The screen and the window on it that a desktop has; CSS pixels. */
export const SCREEN = { width: 1920, height: 1080 } as const;
export const WINDOW = { width: 1366, height: 900 } as const;

/** A mouse and no touch screen, as on a desktop; a machine without a screen would report neither. */
const POINTER_SETTINGS = 'primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4';

const KIND_FLAGS: Readonly<Record<BrowserKind, readonly string[]>> = {
  shell: [
    '--block-new-web-contents',
    // Its pages are not drawn; WebGL works all the same.
    '--disable-gpu',
    '--disable-remote-fonts',
    '--hide-scrollbars',
    `--blink-settings=imagesEnabled=false,${POINTER_SETTINGS}`,
  ],
  full: [`--blink-settings=${POINTER_SETTINGS}`],
};

/** Profile settings for `Default/Preferences`: no prefetching. */
export const PREFERENCES = { net: { network_prediction_options: 2 }, search: { suggest_enabled: false } } as const;

/** Memory limit for the scripts of a page; a page that exceeds it crashes its tab. */
const MAX_SCRIPT_MIB = 1_024;

/** The whole command line; nothing in it comes from a request. */
export function buildFlags(options: FlagOptions): readonly string[] {
  return [
    ...QUIET_FLAGS,
    ...AWAKE_FLAGS,
    `--disable-features=${DISABLED_FEATURES.join(',')}`,
    ...buildEgressFlags(options),
    '--disable-blink-features=AutomationControlled',
    `--user-agent=${buildUserAgent(options.version, 'desktop')}`,
    '--lang=en-US',
    `--js-flags=--max-old-space-size=${MAX_SCRIPT_MIB}`,
    '--accept-lang=en-US,en',
    `--screen-info={${SCREEN.width}x${SCREEN.height}}`,
    `--window-size=${WINDOW.width},${WINDOW.height}`,
    ...KIND_FLAGS[options.kind],
    `--user-data-dir=${options.profile}`,
    ...(options.sandbox ? [] : ['--no-sandbox']),
    ...(options.sharedMemory ? [] : ['--disable-dev-shm-usage']),
    'about:blank',
  ];
}

/** The user agent of Chromium, in the reduced form of its own releases. */
export function buildUserAgent(version: number, device: 'desktop' | 'mobile'): string {
  const [system, mobile] = device === 'desktop' ? ['X11; Linux x86_64', ''] : ['Linux; Android 10; K', ' Mobile'];
  return `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0${mobile} Safari/537.36`;
}
