import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { startHttpServer } from '#testkit/servers.ts';

/** Enough text that no higher tier is tried. */
const GRAIN = 'Rye and wheat, ground between two stones. '.repeat(10);
const PAGES = 6;

/** The requests to the site. */
export type LoginVisit = { readonly path: string; readonly cookie: string };

/**
 * A site with a login form, whose pages require the login. Each page of `/turns` sets a new session id and ends the old
 * one, as careful sites do.
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
    const links = listLinks(path)
      .map((link) => `<a href="${link}">${link}</a>`)
      .join(' ');
    return show(`<h1>Welcome Ann</h1><p>Only for Ann, page ${path}. ${GRAIN}</p>${links}<script>${TOKEN}</script>`);
  }

  const site = await startHttpServer((request, response) => void answer(request, response));
  return Object.assign(site, {
    visits,
    /** The Cookie headers of the requests for a path. */
    cookiesAt: (path: string): readonly string[] => visits.filter((one) => one.path === path).map((one) => one.cookie),
    /** Holds the next request for a path until `go`. */
    hold(path: string): { readonly came: Promise<void>; readonly go: () => void } {
      const came = Promise.withResolvers<void>();
      const over = Promise.withResolvers<void>();
      held.set(path, { tell: came.resolve, until: over.promise });
      return { came: came.promise, go: over.resolve };
    },
    /** Stops responding to requests for paths below this one. */
    closeBelow(path: string): void {
      closed = path;
    },
    open,
  });
}

/** Each page of `/turns` links only to the next: two at once would end each other's session. */
function listLinks(path: string): readonly string[] {
  if (!path.startsWith('/turns')) return Array.from({ length: PAGES }, (_, at) => `/account/${at}`);
  const next = Number(path.slice('/turns/'.length) || -1) + 1;
  return next < PAGES ? [`/turns/${next}`] : [];
}

export type LoginSite = Awaited<ReturnType<typeof openLoginSite>>;

const LOGIN = `<h1>Log in</h1><form method="post" action="/login"><label>User <input name="user"></label>
  <label>Word <input name="word" type="password"></label><button>Log in</button></form><p>${GRAIN}</p>`;
const TOKEN = `if (!localStorage.getItem('token')) localStorage.setItem('token', 'grist-token')`;
/** Shows the storage and cookies of the page. */
const SHOWN = `<h1>Shown</h1><p id="said"></p><p>${GRAIN}</p><script>
  said.textContent = 'token ' + localStorage.getItem('token') + ', cookie ' + document.cookie;
  localStorage.setItem('visits', String(Number(localStorage.getItem('visits') ?? 0) + 1));
  document.cookie = 'script=set; max-age=600; path=/';</script>`;

/** The actions of a login through the form. */
export const LOG_IN = [
  { type: 'type', target: { label: 'User' }, text: 'ann' },
  { type: 'type', target: { label: 'Word' }, text: '{{word}}' },
  { type: 'click', target: { role: 'button', name: 'Log in' } },
  { type: 'wait', text: 'Welcome Ann' },
] as const;
