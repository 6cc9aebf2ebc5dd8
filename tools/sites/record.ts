/**
 * Runs an endpoint against the live site with the settings of this folder, and saves the pages as a case:
 * `npm run record codehost user --username octocat`. Prints the record for review.
 */
import { toServedEndpoint } from '#features/sites/endpoint.ts';
import { ignoreEvents } from '#kernel/events.ts';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { findConfiguredBrowsers } from '#compose/browsers.ts';
import { openEngine } from '#compose/engine.ts';
import { openStore } from '#compose/store.ts';
import type { SiteVerdict } from '#sites/framework/answers.ts';
import type { SourceReadRequest } from '#sites/framework/source-reader.ts';
import { loadSiteSettings } from '#features/sites/settings.ts';
import { locateOnSite, NO_SETTINGS, getOrigin, buildUrl } from '#sites/framework/site.ts';
import { LOCAL_TENANT } from '#engine/credits/tenants.ts';
import { decodeBody } from '#extract/html/decode.ts';
import { sniffKind } from '#extract/html/sniff.ts';
import { loadConfig } from '#kernel/config.ts';
import { ServiceError } from '#kernel/errors.ts';
import { newId } from '#kernel/ids.ts';
import { allEndpoints, listSites } from '#sites/index.ts';
import { PROOFS } from '#sites/proofs.ts';
import { readSource } from '#sites/read-source.ts';
import { readParameters, buildParameters } from '#transports/parameters.ts';
import { listSiteFolders, SITES_FOLDER } from '#testkit/sites/site-folders.ts';
import { type Case, replay, toFileStem } from './cases.ts';
import { scrub, scrubHeaders } from './scrub.ts';

const USAGE = 'npm run record SITE ENDPOINT [--name NAME] --PARAMETER VALUE …\n';
const TIMEOUT_MS = 120_000;

type Reading = { readonly order: SourceReadRequest; readonly verdict: SiteVerdict };
type Page = Case['pages'][number];

const { endpoint, name, raw } = readArguments(process.argv.slice(2));
const loaded = loadConfig();
const settings = loadSiteSettings(loaded.config.QUERN_SITES_FILE ?? null, listSites).of(endpoint.site.name);
const readings = await runEndpoint();
const saved = saveCase(readings);
if (saved.expect.kind === 'record' && saved.origin === 'recorded') addProof(endpoint.id);

function readArguments(args: readonly string[]) {
  const [site = '', path = '', ...rest] = args;
  const found = allEndpoints.find((one) => one.site.name === site && toFileStem(one) === path.replaceAll('/', '-'));
  if (found === undefined) fail(`${USAGE}${site} has no endpoint ${path}.\n`);
  const parameters = buildParameters(toServedEndpoint(found).operation.input);
  const names = [...parameters.members.keys(), 'name'];
  const pairs = rest[0]?.startsWith('--') === true ? parsePairs(rest) : parseNpmArguments(names, rest);
  const own = pairs.filter(([key]) => key !== 'name');
  const label = pairs.find(([key]) => key === 'name')?.[1] ?? toCaseName(own.map(([, value]) => value).join('-'));
  return { endpoint: found, name: label, raw: own.length === 0 ? found.canary : readParameters(parameters, own) };
}

function parsePairs(args: readonly string[]): readonly (readonly [string, string])[] {
  const pairs: [string, string][] = [];
  for (let at = 0; at < args.length; at += 2) {
    const key = args[at] ?? '';
    if (!key.startsWith('--') || args[at + 1] === undefined) fail(`${USAGE}${key}: expected --PARAMETER VALUE\n`);
    pairs.push([key.slice(2).replaceAll('-', '_'), args[at + 1] ?? '']);
  }
  return pairs;
}

/**
 * Parses options that npm consumed because no `--` was before them: npm puts `--a=b` into the environment. It splits `--a b`
 * into `a` in the environment and `b` among the arguments.
 */
function parseNpmArguments(names: readonly string[], words: readonly string[]): readonly (readonly [string, string])[] {
  const options = names.flatMap((one): [string, string][] => {
    const value = process.env[`npm_config_${one}`];
    return value === undefined || value === '' ? [] : [[one, value]];
  });
  const bare = options.filter(([, value]) => value === 'true');
  if (words.length === 0) return options;
  const [[asked] = ['']] = bare;
  const [word = ''] = words;
  if (bare.length !== 1 || words.length !== 1) fail(`${USAGE}Write -- before the parameters, or npm consumes them.\n`);
  return [...options.filter(([, value]) => value !== 'true'), [asked, word]];
}

function toCaseName(text: string): string {
  return (
    text
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .slice(-60)
      .replaceAll(/^-|-$/g, '') || 'canary'
  );
}

/** Performs the operation as for a caller, and collects every page that a source parsed. */
async function runEndpoint(): Promise<readonly Reading[]> {
  const folder = mkdtempSync(join(tmpdir(), 'quern-record-'));
  const all: Reading[] = [];
  const config = { ...loaded.config, QUERN_DATA_DIR: folder, QUERN_DATABASE_URL: undefined };
  const artifacts = { kind: 'rows' } as const;
  const store = await openStore(
    { config, artifacts },
    { report: warn, onSlow: () => undefined, note: () => undefined },
  );
  const engine = await openEngine(config, store, {
    processId: 'record',
    artifacts,
    settings: [],
    findBrowsers: () => findConfiguredBrowsers(config),
    own: () => [],
    observe: ignoreEvents,
    report: (message, facts) => warn(`${message} ${JSON.stringify(facts)}`),
    reportText: (message, facts) => warn(`${message} ${JSON.stringify(facts)}`),
    witnessSource: (order, verdict) => void all.push({ order, verdict }),
  });
  await store.registry.tenants.ensureLocal();
  try {
    await engine.perform(toServedEndpoint(endpoint).operation, raw, {
      caller: { tenant: LOCAL_TENANT, keyId: LOCAL_TENANT, plan: store.plans.unlimited },
      requestId: newId('req', store.storeClock.now()),
      signal: AbortSignal.timeout(TIMEOUT_MS),
      idempotencyKey: null,
      lastEventId: null,
      lease: null,
    });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    warn(`${error.code}: ${error.message}`);
  } finally {
    await engine.close();
    await store.db.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return all;
}

/**
 * Writes the scrubbed pages of the source that gave the result, and the verdict on them. Of a list, only the first page is
 * saved.
 */
function saveCase(all: readonly Reading[]): Case {
  const source = all.at(-1)?.order.source;
  const first = all.filter(({ order }) => order.source === source && order.cursor === null);
  const last = first.at(-1);
  if (last === undefined) fail('No page was fetched, so there is nothing to save.\n');
  const orders = new Map(
    first.map(({ order }) => [`${order.page.requested} ${JSON.stringify(order.page.carry)}`, order]),
  );
  const folder = join(
    listSiteFolders().get(endpoint.site.name) ?? fail(`No folder declares ${endpoint.site.name}.\n`),
    'fixtures',
  );
  mkdirSync(folder, { recursive: true });
  const stem = `${toFileStem(endpoint)}--${name}`;
  const isReal = Object.keys(settings.origins).length === 0;
  const pages = [...orders.values()].map((order) => toPage(order));
  const draft: Case = {
    origin: isReal ? 'recorded' : 'made',
    date: new Date().toISOString().slice(0, 10),
    input: raw,
    source: last.order.source,
    cursor: null,
    limit: last.order.limit,
    constants: { ...settings.constants },
    pages,
    expect: { kind: last.verdict.kind === 'more' ? 'unusable' : last.verdict.kind },
  };
  const { verdict, asked } = replay(endpoint, draft, readSource);
  if (verdict.kind !== last.verdict.kind) {
    fail(`Scrubbing changed the verdict from ${last.verdict.kind} to ${verdict.kind}; see tools/sites/scrub.ts.\n`);
  }
  const files = pages.map(({ body = '', ...page }, at) => {
    const file = `${stem}${at === 0 ? '' : `-${at + 1}`}.page.${chooseExtension(page.content_type)}`;
    writeFileSync(join(folder, file), body);
    const post = asked[at]?.post ?? null;
    return { ...page, ...(post === null ? {} : { post: scrub(post) }), file };
  });
  const frozen = { ...draft, pages: files, expect: { ...verdict } };
  writeFileSync(join(folder, `${stem}.case.json`), `${JSON.stringify(frozen, null, 2)}\n`);
  process.stdout.write(
    `${JSON.stringify(verdict, null, 2)}\nwrote packages/sites/src/${relative(SITES_FOLDER, folder)}/${stem}.*\n`,
  );
  if (!isReal) process.stdout.write('QUERN_SITES_FILE overrides the origin, so the case is marked as made.\n');
  return draft;
}

function toPage({ page, body, captures }: SourceReadRequest): Page {
  const { kind } = sniffKind(body, page.contentType);
  const text = scrub(replaceOrigins(decodeBody(body, page.contentType, kind).text));
  return {
    requested: toDefaultUrl(page.requested),
    url: scrub(toDefaultUrl(page.url)),
    status: page.status,
    headers: scrubHeaders(page.headers),
    content_type: page.contentType.replace(/charset=[\w-]+/i, 'charset=utf-8'),
    body: text,
    captures: captures.map((one) => ({
      ...one,
      url: scrub(toDefaultUrl(one.url)),
      text: scrub(replaceOrigins(one.text)),
    })),
  };
}

/** Replaces the configured origin of a URL with the default one. */
function toDefaultUrl(url: string): string {
  const place = locateOnSite(endpoint.site, settings, url);
  return place === null ? url : buildUrl(endpoint.site, NO_SETTINGS, place).href;
}

function replaceOrigins(text: string): string {
  const { site } = endpoint;
  return Object.keys(site.origins).reduce(
    (replaced, origin) => replaced.replaceAll(getOrigin(site, settings, origin), getOrigin(site, NO_SETTINGS, origin)),
    text,
  );
}

function chooseExtension(contentType: string): string {
  if (/json/i.test(contentType)) return 'json';
  return /html/i.test(contentType) ? 'html' : /xml/i.test(contentType) ? 'xml' : 'txt';
}

/** Adds the endpoint to the list of those that were verified on a page of their site. */
function addProof(id: string): void {
  const proofs = Object.entries({ ...PROOFS, [id]: 'recorded' }).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const file = join(SITES_FOLDER, 'proofs.ts');
  const lines = proofs.map(([one, proof]) => `  '${one}': '${proof}',\n`).join('');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, `${text.slice(0, text.indexOf('= {\n') + 4)}${lines}};\n`);
  process.stdout.write(`${id} is verified\n`);
}

function warn(what: unknown): void {
  process.stderr.write(`${what instanceof Error ? what.message : String(what)}\n`);
}

function fail(message: string): never {
  process.stderr.write(message);
  process.exit(2);
}
