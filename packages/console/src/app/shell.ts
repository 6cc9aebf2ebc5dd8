import { html } from 'htm/preact';
import type { ComponentType, VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { HelpDialog } from '#console/views/help.ts';
import { Empty } from '#console/parts/view-states.ts';
import { Toasts, notify } from '#console/parts/toast.ts';
import { When } from '#console/parts/format.ts';
import { lostSince } from './api.ts';
import { pauseFor } from './event-stream.ts';
import { focusSearch, useKeys } from './keys.ts';
import { goTo, here, linkTo, matchPath, type ViewProps } from './router.ts';
import { ROUTES, SIGN_IN, type ViewRoute } from './routes.ts';
import { endReason, session, signOut } from './session.ts';
import { theme, turnTheme } from './theme.ts';

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 4000;

/** The page: navigation, the state of the connection, and the view of the place. */
export function Shell(): VNode {
  const [helpIsOpen, openHelp] = useState(false);
  const { path, query } = here.value;
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

type FoundRoute = { readonly route: ViewRoute; readonly params: Readonly<Record<string, string>> };

/** Loads the code of a view while it is not known yet who is signed in. */
export function loadAhead(path: string): void {
  // What fails here is tried again, and told of, when the view is opened.
  findRoute(path)
    ?.route.load()
    .catch(() => null);
}

function findRoute(path: string): FoundRoute | null {
  for (const route of ROUTES) {
    const params = matchPath(route.path, path);
    if (params !== null) return { route, params };
  }
  return null;
}

type ContentProps = { readonly found: FoundRoute | null; readonly query: Readonly<Record<string, string>> };

/**
 * The view, or what stands in its place. A session that ends by itself leaves the view behind the sign-in, so that what was
 * written in it is there after; nothing is left when the reader signs out.
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
      <h1 tabIndex=${-1}>There is nothing at this address.</h1>
      <p><a href=${linkTo('/')}>Go to the overview</a></p>
    </div>`;
  const isShown = found !== null && (who !== null || found.route.isOpen === true);
  const isKept = found !== null && (isShown || (tenant !== '' && endReason.value !== ''));
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

/** A view once its code is there; the focus goes to its heading, so that those who hear the page know where they are. */
function LoadedView({ route, params, query }: LoadedViewProps): VNode {
  const [view, setView] = useState<{ readonly View: ComponentType<ViewProps> } | null>(null);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    const leaving = new AbortController();
    void load(leaving.signal);
    return () => leaving.abort();
  }, []);

  async function load(signal: AbortSignal): Promise<void> {
    for (let wait = FIRST_WAIT_MS; !signal.aborted; wait = Math.min(wait * 2, MAX_WAIT_MS)) {
      const View = await route.load().catch(() => null);
      if (signal.aborted) return;
      setFailed(View === null);
      if (View !== null) return setView({ View });
      await pauseFor(wait, signal);
    }
  }

  useEffect(() => {
    if (view === null || document.activeElement !== document.body) return;
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  }, [view]);
  if (hasFailed)
    return html`<${Empty} title="This view could not be loaded.">
      <p>The service does not send it, which is tried again. A new version of the service has other files.</p>
      <button type="button" onClick=${() => location.reload()}>Load the page again</button>
    <//>`;
  if (view === null) return html`<p class="loading" aria-busy="true">Loading …</p>`;
  return html`<${view.View} params=${params} query=${query} />`;
}

type HelpProps = { readonly onClose: () => void };

/** The help, whose code is loaded when it is first asked for. */
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

/** Says that the service is away, and since when what is shown is what was known. */
function ConnectionNote(): VNode | null {
  const since = lostSince.value;
  if (since === null) return null;
  return html`<div class="note note-warn" role="status">
    The service does not answer, or waits for its store. What you see is what was known${' '}
    <${When} at=${since} />; it is asked again by itself.
  </div>`;
}

/** Says why nothing can be asked, and what still can. */
function SuspensionNote(): VNode {
  return html`<div class="note note-warn" role="status">
    The operator of this service has suspended your tenant: what is there can be read, nothing new runs.
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
          <button type="button" class="small" onClick=${turnTheme}>Colours: ${theme.value}</button>
          <button type="button" class="small" onClick=${onHelp}>Help</button>
          <a class="button small" href="/docs">Docs</a>
          <button type="button" class="small" onClick=${leave}>Sign out</button>
        </div>
      </div>
    </div>
  </header>`;
}

async function leave(): Promise<void> {
  const failure = await signOut();
  if (failure !== null) notify(failure.message, 'bad');
}

/** The hash belongs to the router, so that a link within the page is followed by hand. */
function skipToMain(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}
