import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { startHttpServer } from '#testkit/servers.ts';

/** Enough text that no tier climbs for more. */
const GRAIN = 'Rye and wheat, ground between two stones. '.repeat(10);
const PAGES = 6;

/** What the site was asked for. */
export type LoginVisit = { readonly path: string; readonly cookie: string };

/**
 * A site with a login by form: its pages are only for who is logged in. Each page of `/turns` gives a new session id and
 * ends the old one, as careful sites do.
 */
export async function openLoginSite() {
  const sessions = new Set<string>();
  const visits: LoginVisit[] = [];
  const held = new Map<string, { readonly tell: () => void; readonly until: Promise<void> }>();
  let closed = '';
  let count = 0;

  function open(): string {
    count += 1;
    sessions.add(`s${count}`);
    return `s${count}`;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const url = new URL(request.url ?? '/', 'http://site');
    const path = url.pathname;
    const cookie = request.headers.cookie ?? '';
    visits.push({ path, cookie });
    const holding = held.get(path);
    held.delete(path);
    holding?.tell();
    await holding?.until;
    if (closed !== '' && path.startsWith(closed)) return undefined;
    const id = /(?:^|; )sid=([^;]*)/.exec(cookie)?.[1] ?? '';
    const show = (body: string): unknown =>
      response.setHeader('content-type', 'text/html').end(`<!doctype html><title>Mill</title>${body}`);
    if (path === '/robots.txt') return response.writeHead(404).end();
    if (path === '/login' && request.method === 'POST') {
      const form = new URLSearchParams(await text(request));
      if (form.get('user') !== 'ann' || form.get('word') !== 'grist') return show('<h1>Wrong</h1>');
      response.setHeader('set-cookie', [
        `sid=${open()}; Path=/; HttpOnly; SameSite=Lax`,
        'seen=1; Path=/; Max-Age=600',
      ]);
      return response.writeHead(303, { location: '/account' }).end();
    }
    if (path === '/login') return show(LOGIN);
    if (path === '/sets') {
      response.setHeader('set-cookie', url.searchParams.getAll('c'));
      return show(`<p>${GRAIN}</p>`);
    }
    if (path === '/open') return show(`<h1>Open</h1><p>${GRAIN}</p>`);
    if (path === '/shown') return show(SHOWN);
    if (!sessions.has(id)) return response.writeHead(302, { location: '/login' }).end();
    if (path === '/out') {
      sessions.delete(id);
      response.setHeader('set-cookie', 'sid=; Path=/; Max-Age=0');
      return show('<h1>Bye</h1><script>localStorage.clear()</script>');
    }
    if (path.startsWith('/turns')) {
      sessions.delete(id);
      response.setHeader('set-cookie', `sid=${open()}; Path=/; HttpOnly`);
    }
    const links = linksOf(path)
      .map((link) => `<a href="${link}">${link}</a>`)
      .join(' ');
    return show(`<h1>Welcome Ann</h1><p>Only for Ann, page ${path}. ${GRAIN}</p>${links}<script>${TOKEN}</script>`);
  }

  const site = await startHttpServer((request, response) => void answer(request, response));
  return Object.assign(site, {
    visits,
    /** The Cookie headers that a path was asked for with. */
    cookiesAt: (path: string): readonly string[] => visits.filter((one) => one.path === path).map((one) => one.cookie),
    /** Leaves the next request for a path without an answer until `go`. */
    hold(path: string): { readonly came: Promise<void>; readonly go: () => void } {
      const came = Promise.withResolvers<void>();
      const over = Promise.withResolvers<void>();
      held.set(path, { tell: came.resolve, until: over.promise });
      return { came: came.promise, go: over.resolve };
    },
    /** From now on a request for a path below this one gets no answer. */
    closeBelow(path: string): void {
      closed = path;
    },
    open,
  });
}

/** Of `/turns` each page leads to the next alone: two at once would end each other's session. */
function linksOf(path: string): readonly string[] {
  if (!path.startsWith('/turns')) return Array.from({ length: PAGES }, (_, at) => `/account/${at}`);
  const next = Number(path.slice('/turns/'.length) || -1) + 1;
  return next < PAGES ? [`/turns/${next}`] : [];
}

export type LoginSite = Awaited<ReturnType<typeof openLoginSite>>;

const LOGIN = `<h1>Log in</h1><form method="post" action="/login"><label>User <input name="user"></label>
  <label>Word <input name="word" type="password"></label><button>Log in</button></form><p>${GRAIN}</p>`;
const TOKEN = `if (!localStorage.getItem('token')) localStorage.setItem('token', 'grist-token')`;
/** Shows what the page's own storage and cookies hold. */
const SHOWN = `<h1>Shown</h1><p id="said"></p><p>${GRAIN}</p><script>
  said.textContent = 'token ' + localStorage.getItem('token') + ', cookie ' + document.cookie;
  localStorage.setItem('visits', String(Number(localStorage.getItem('visits') ?? 0) + 1));
  document.cookie = 'script=set; max-age=600; path=/';</script>`;

/** The steps of a login by its form. */
export const LOG_IN = [
  { type: 'type', target: { label: 'User' }, text: 'ann' },
  { type: 'type', target: { label: 'Word' }, text: '{{word}}' },
  { type: 'click', target: { role: 'button', name: 'Log in' } },
  { type: 'wait', text: 'Welcome Ann' },
] as const;
