import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildFailure } from '#access/failure.ts';
import type { Page, Visit } from '#access/page.ts';
import type { StoreKind } from '#store/db.ts';
import { type Gate, type GateOptions, buildTestPage, SITE, withGate } from '../../engine/gate.ts';
import { TESTED_STORES } from '../store.ts';
import { checkBooks, openJobTools, getOperation, runClaimed } from './queue.ts';

/** A call that waits for its response, or a job on one of the stores. */
export type Mode = 'inline' | StoreKind;

/** The modes that this run tests. */
export const MODES: readonly Mode[] = ['inline', ...TESTED_STORES];

type Body = Readonly<Record<string, unknown>>;

/** The response of a fake site for a path: a page with links, a redirect, or a whole response. */
export type Answer =
  | { readonly links: readonly string[]; readonly head?: string; readonly title?: string; readonly says?: string }
  | { readonly to: string }
  | { readonly text: string; readonly type?: string; readonly status?: number };

/** Keys are path and query on the host of the site, and whole URLs elsewhere. */
export type Site = (path: string) => Answer | null;

const MAX_REDIRECTS = 10;

/** The http tier on a fake site, which follows redirects like the real one; `asked` gets each path. */
export function serves(site: Site, asked: string[] = []): Visit {
  return async ({ url: start, follows }, signal): Promise<Page> => {
    let url = start;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
      const path = url.host === new URL(SITE).host ? url.pathname + url.search : url.href;
      asked.push(path);
      const answer = site(path);
      if (answer === null || !('to' in answer)) return toPage(answer, url);
      url = new URL(answer.to, url);
      if ((await follows?.(url, signal)) === false)
        return buildTestPage({ url: url.href, status: 302, contentType: '', text: '' });
    }
    throw buildFailure('unusable', 'the target redirects too often', { reason: 'redirects' });
  };
}

function toPage(answer: Exclude<Answer, { readonly to: string }> | null, url: URL): Page {
  if (answer === null) return buildTestPage({ url: url.href, status: 404, text: 'none' });
  if ('text' in answer) {
    const { text, type = 'application/xml', status = 200 } = answer;
    return buildTestPage({ url: url.href, status, contentType: type, text });
  }
  const path = url.pathname + url.search;
  const anchors = answer.links.map((link) => `<li><a href="${link}">to</a>`).join('');
  const { title = `Page ${path}`, head = '', says = `On ${path}` } = answer;
  return buildTestPage({ url: url.href, text: `<title>${title}</title>${head}<main><p>${says}</p></main>${anchors}` });
}

/** A site as a table of paths. */
export function buildSite(table: Readonly<Record<string, Answer>>): Site {
  return (path) => table[path] ?? null;
}

export function buildSitemapAnswer(urls: readonly string[], more = ''): Answer {
  const entries = urls.map((url) => `<url><loc>${new URL(url, SITE).href}</loc>${more}</url>`).join('');
  return { text: `<?xml version="1.0"?><urlset>${entries}</urlset>` };
}

export function buildSitemapIndex(urls: readonly string[]): Answer {
  const entries = urls.map((url) => `<sitemap><loc>${new URL(url, SITE).href}</loc></sitemap>`).join('');
  return { text: `<sitemapindex>${entries}</sitemapindex>` };
}

export function buildRobots(...lines: readonly string[]): Answer {
  return { text: lines.join('\n'), type: 'text/plain' };
}

/** Crawls or maps the fake site, or the given `urls`, and returns the body; throws on failure. */
export async function crawlIn(gate: Gate, { mode, kind }: { mode: Mode; kind: string }, input: object): Promise<Body> {
  const whole = { ...('urls' in input ? {} : { url: SITE }), delay_ms: 0, ...input };
  if (mode === 'inline') {
    const { answer, error } = await gate.ask(getOperation(kind), whole);
    if (answer === null) throw error ?? new Error('no answer');
    return answer.body;
  }
  const submitted = await gate.ask(getOperation('jobs.submit'), { kind, input: whole });
  if (submitted.answer === null) throw submitted.error ?? new Error('no answer');
  const [claimed] = await gate.queue.leases.claim('w1', 1);
  assert.ok(claimed !== undefined);
  await runClaimed(gate, claimed);
  return readResult(gate, String(submitted.answer.body['id']));
}

/** The whole result of a job, with its list read page by page. */
async function readResult(gate: Gate, id: string): Promise<Body> {
  const parts: Body[] = [];
  for (let cursor: unknown; cursor !== null;) {
    const { answer, error } = await openJobTools(gate).result(id, {
      limit: 1000,
      ...(cursor === undefined ? {} : { cursor }),
    });
    if (answer === null) throw error ?? new Error('no answer');
    parts.push(answer.body);
    cursor = answer.body['next_cursor'] ?? null;
  }
  const lists = LISTS.filter((list) => parts[0]?.[list] !== undefined);
  return { ...parts[0], ...Object.fromEntries(lists.map((list) => [list, parts.flatMap((part) => part[list])])) };
}

const LISTS = ['pages', 'urls', 'results'] as const;

export type EachMode = {
  /** The operation to call, and the options of the gate. */
  readonly kind: string;
  readonly modes?: readonly Mode[];
  readonly options: Omit<GateOptions, 'store'>;
};

/** Declares a test for a waiting call and for a job on each store. */
export function inEachMode(
  title: string,
  { kind, modes = MODES, options }: EachMode,
  work: (crawl: (input?: object) => Promise<Body>, gate: Gate, mode: Mode) => Promise<void>,
): void {
  for (const mode of modes) {
    test(`${mode}: ${title}`, async () =>
      withGate({ ...options, store: mode === 'postgres' ? 'postgres' : 'sqlite' }, async (gate) => {
        await work(async (input = {}) => crawlIn(gate, { mode, kind }, input), gate, mode);
        await checkBooks(gate);
      }));
  }
}

/**
 * Runs a job whose worker dies on the visit of `path` and that another worker takes over; returns its result.
 * Later actions of the dead worker have no effect.
 */
export async function takenOver(
  gate: Gate,
  { kind, death }: { kind: string; death: Death },
  input: object,
): Promise<Body> {
  const whole = { url: SITE, delay_ms: 0, ...input };
  const { answer, error } = await gate.ask(getOperation('jobs.submit'), { kind, input: whole });
  if (answer === null) throw error ?? new Error('no answer');
  const [first] = await gate.queue.leases.claim('w1', 1);
  assert.ok(first !== undefined);
  const zombie = runClaimed(gate, first);
  await death.came;
  gate.clock.pass(31_000);
  await gate.queue.leases.recover(null, async () => gate.plan);
  gate.clock.pass(1000);
  const [second] = await gate.queue.leases.claim('w2', 1);
  assert.ok(second !== undefined);
  assert.equal(await runClaimed(gate, second), 'ok');
  death.end();
  assert.equal(await zombie, 'lost');
  return readResult(gate, String(answer.body['id']));
}

/** A visit that does not end until it is released. */
export type Death = { readonly came: Promise<void>; readonly end: () => void };

/** The same tier, but the first visit of `path` hangs. */
export function hangsAt(path: string, visit: Visit): { readonly visit: Visit; readonly death: Death } {
  const came = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  let isFirst = true;
  return {
    death: { came: came.promise, end: over.resolve },
    async visit(request, signal) {
      if (isFirst && request.url.pathname + request.url.search === path) {
        isFirst = false;
        came.resolve();
        await over.promise;
      }
      return visit(request, signal);
    },
  };
}
