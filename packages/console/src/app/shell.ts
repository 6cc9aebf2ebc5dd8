import { html } from 'htm/preact';
import type { ComponentType, VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { HelpDialog } from '#console/views/help.ts';
import { EmptyState } from '#console/parts/view-states.ts';
import { Toasts, notify } from '#console/parts/toast.ts';
import { Timestamp } from '#console/parts/format.ts';
import { unavailableSince } from './api.ts';
import { sleep } from './event-stream.ts';
import { focusSearch, useKeys } from './keys.ts';
import { goTo, currentLocation, linkTo, matchPath, type ViewProps } from './router.ts';
import { ROUTES, SIGN_IN, type ViewRoute } from './routes.ts';
import { signOutReason, session, signOut } from './session.ts';
import { theme, cycleTheme } from './theme.ts';

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 4000;

/** The page: navigation, notices, and the view of the current location. */
export function Shell(): VNode {
  const [helpIsOpen, openHelp] = useState(false);
  const { path, query } = currentLocation.value;
  const found = findRoute(path);
  const who = session.value;
  const goes = ROUTES.flatMap(({ key, path: target }) => (key === undefined ? [] : [[`g ${key}`, () => goTo(target)]]));
  useKeys({ ...Object.fromEntries(goes), '/': focusSearch, '?': () => openHelp(true) });
  const isIn = who !== null && who !== 'unknown';
  return html`<div class=${isIn ? 'shell' : 'shell bare'}>
    <a class="skip" href="#main" onClick=${skipToMain}>Skip to the content</a>
    ${isIn ? html`<${Navigation} path=${path} onHelp=${() => openHelp(true)} />` : null}
    <main id="main" tabIndex=${-1}>
      <${ConnectionNote} />
      ${isIn && who.isSuspended ? html`<${SuspensionNote} />` : null}
      <${Content} found=${found} query=${query} />
    </main>
    <${Toasts} />
    ${helpIsOpen ? html`<${Help} onClose=${() => openHelp(false)} />` : null}
  </div>`;
}

type RouteMatch = { readonly route: ViewRoute; readonly params: Readonly<Record<string, string>> };

/** Loads the code of a view while the session is still loading. */
export function preloadView(path: string): void {
  // If this fails, opening the view loads it again and reports the failure.
  findRoute(path)
    ?.route.load()
    .catch(() => null);
}

function findRoute(path: string): RouteMatch | null {
  for (const route of ROUTES) {
    const params = matchPath(route.path, path);
    if (params !== null) return { route, params };
  }
  return null;
}

type ContentProps = { readonly found: RouteMatch | null; readonly query: Readonly<Record<string, string>> };

/**
 * The view, the sign-in form, or a placeholder. If the session ends by itself, the view stays mounted but hidden, so that
 * typed text survives the next sign-in; after a sign-out it is unmounted.
 */
function Content({ found, query }: ContentProps): VNode {
  const who = session.value;
  const [tenant, setTenant] = useState('');
  useEffect(() => {
    if (who !== null && who !== 'unknown') setTenant(who.tenant);
  }, [who]);
  useEffect(() => {
    const words = found === null ? [] : [...Object.values(found.params), found.route.title];
    document.title = [...words, 'Quern'].join(' · ');
  }, [found?.route, JSON.stringify(found?.params)]);
  if (who === 'unknown') return html`<p class="loading" aria-busy="true">Loading …</p>`;
  if (found === null && who !== null)
    return html`<div class="view">
      <h1 tabIndex=${-1}>This page does not exist.</h1>
      <p><a href=${linkTo('/')}>Go to the overview</a></p>
    </div>`;
  const isShown = found !== null && (who !== null || found.route.isOpen === true);
  const isKept = found !== null && (isShown || (tenant !== '' && signOutReason.value !== ''));
  const owner = found?.route.isOpen === true ? '' : (who?.tenant ?? tenant);
  return html`${isShown ? null : html`<${LoadedView} route=${SIGN_IN} params=${{}} query=${query} />`}
  ${
    isKept
      ? html`<div hidden=${!isShown} key=${`${owner} ${found.route.path} ${JSON.stringify(found.params)}`}>
          <${LoadedView} route=${found.route} params=${found.params} query=${query} />
        </div>`
      : null
  }`;
}

type LoadedViewProps = ViewProps & { readonly route: ViewRoute };

/** Renders a view once its code is loaded, and focuses its heading for screen readers. */
function LoadedView({ route, params, query }: LoadedViewProps): VNode {
  const [view, setView] = useState<{ readonly View: ComponentType<ViewProps> } | null>(null);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    const controller = new AbortController();
    void load(controller.signal);
    return () => controller.abort();
  }, []);

  async function load(signal: AbortSignal): Promise<void> {
    for (let wait = FIRST_WAIT_MS; !signal.aborted; wait = Math.min(wait * 2, MAX_WAIT_MS)) {
      const View = await route.load().catch(() => null);
      if (signal.aborted) return;
      setFailed(View === null);
      if (View !== null) return setView({ View });
      await sleep(wait, signal);
    }
  }

  useEffect(() => {
    if (view === null || document.activeElement !== document.body) return;
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  }, [view]);
  if (hasFailed)
    return html`<${EmptyState} title="This view could not be loaded.">
      <p>The service does not send its code; the page keeps trying. After an update of the service, reload the page.</p>
      <button type="button" onClick=${() => location.reload()}>Reload the page</button>
    <//>`;
  if (view === null) return html`<p class="loading" aria-busy="true">Loading …</p>`;
  return html`<${view.View} params=${params} query=${query} />`;
}

type HelpProps = { readonly onClose: () => void };

/** The help dialog. Its code is loaded when it is first opened. */
function Help({ onClose }: HelpProps): VNode | null {
  const [help, setHelp] = useState<{ readonly Dialog: typeof HelpDialog } | null>(null);
  useEffect(() => {
    void import('#console/views/help.ts').then(
      ({ HelpDialog: Dialog }) => setHelp({ Dialog }),
      () => onClose(),
    );
  }, []);
  return help === null ? null : html`<${help.Dialog} routes=${ROUTES} onClose=${onClose} />`;
}

/** Reports that the service is unavailable, and how old the shown data is. */
function ConnectionNote(): VNode | null {
  const since = unavailableSince.value;
  if (since === null) return null;
  return html`<div class="note note-warn" role="status">
    The service or its store is unavailable. The page shows the state of${' '} <${Timestamp} at=${since} /> and retries
    by itself.
  </div>`;
}

/** Reports that the tenant is suspended. */
function SuspensionNote(): VNode {
  return html`<div class="note note-warn" role="status">
    The operator of this service has suspended your tenant. You can read its data, but you cannot start anything.
  </div>`;
}

type NavigationProps = { readonly path: string; readonly onHelp: () => void };

function Navigation({ path, onHelp }: NavigationProps): VNode {
  const [isOpen, setOpen] = useState(false);
  const who = session.value;
  const menu = useRef<HTMLElement>(null);
  useEffect(() => setOpen(false), [path]);
  if (who === null || who === 'unknown') return html``;
  const listed = ROUTES.filter(
    ({ menu: name, isForOperators }) => name !== undefined && (who.isOperator || !isForOperators),
  );
  const isAt = (target: string): boolean => path === target || (target !== '/' && path.startsWith(`${target}/`));
  return html`<header class="bar">
    <div class="bar-top">
      <a class="brand" href=${linkTo('/')}><span class="mark" aria-hidden="true"></span>Quern</a>
      <button
        type="button"
        class="icon menu"
        aria-expanded=${isOpen ? 'true' : 'false'}
        aria-controls="menu"
        onClick=${() => setOpen(!isOpen)}
      >
        Menu
      </button>
    </div>
    <div id="menu" class=${isOpen ? 'open' : ''} ref=${menu}>
      <nav aria-label="Console">
        ${listed.map(
          ({ path: target, menu: name, key }) =>
            html`<a
              href=${linkTo(target)}
              aria-current=${isAt(target) ? 'page' : undefined}
              title=${key === undefined ? '' : `g ${key}`}
              >${name}</a
            >`,
        )}
      </nav>
      <div class="who">
        <p title="Tenant, plan and key">
          <bdi>${who.tenant}</bdi><br /><span class="faint">${who.plan} · <bdi>${who.keyName}</bdi></span>
        </p>
        <div class="who-actions">
          <button type="button" class="small" onClick=${cycleTheme}>Colours: ${theme.value}</button>
          <button type="button" class="small" onClick=${onHelp}>Help</button>
          <a class="button small" href="/docs">Docs</a>
          <button type="button" class="small" onClick=${signOutOrNotify}>Sign out</button>
        </div>
      </div>
    </div>
  </header>`;
}

async function signOutOrNotify(): Promise<void> {
  const failure = await signOut();
  if (failure !== null) notify(failure.message, 'bad');
}

/** Focuses the main content. The link cannot use the URL fragment, which belongs to the router. */
function skipToMain(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}
