import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readLiteral } from '#extract/json/literal.ts';
import { memberOf, tryParse } from '#extract/values/json.ts';

/** One answer that a site once sent, as some public project keeps it. */
export type Recording = {
  readonly file: string;
  /** Null where the file does not say. */
  readonly url: string | null;
  readonly method: string;
  readonly post: string | null;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType: string;
  readonly body: string;
};

/** What a tool made of a page is no page, and neither is what we know of it. */
const NO_PAGE = /parsed|output|expected|subset|scrapfly|^SOURCE|\.headers\.txt$|\.(?:ts|md)$|(?<!Resource-\w+)\.js$/i;

/** The folders of recordings: `codehost/user`; none without a corpus. */
export function listFolders(corpus: string | undefined = process.env['QUERN_CORPUS']): readonly string[] {
  const root = corpus === undefined ? '' : join(corpus, 'sites');
  if (corpus === undefined || !existsSync(root)) return [];
  return readdirSync(root).flatMap((site) => readdirSync(join(root, site)).map((folder) => join(site, folder)));
}

/** Every recorded answer of one folder; none where it is not there. */
export function listRecordings(folder: string): readonly Recording[] {
  const path = join(process.env['QUERN_CORPUS'] ?? '', 'sites', folder);
  return (existsSync(path) ? readdirSync(path) : [])
    .filter((file) => !NO_PAGE.test(file))
    .flatMap((file) => readFile(join(path, file)).map((one) => ({ ...one, file })));
}

type Answer = Omit<Recording, 'file'>;

const PLAIN = { url: null, method: 'GET', post: null, status: 200, headers: {} };

function readFile(path: string): readonly Answer[] {
  const text = readFileSync(path, 'utf8');
  if (path.endsWith('.js')) return [{ ...PLAIN, contentType: JSON_TYPE, body: fromScript(text) }];
  if (path.endsWith('.http')) return [fromHttp(text)];
  if (path.endsWith('.txt') && !text.startsWith('<')) return fromReplay(text);
  if (!path.endsWith('.json'))
    return [{ ...PLAIN, ...readHeadFile(path), contentType: 'text/html; charset=utf-8', body: text }];
  const json = tryParse(text);
  if (isPageData(json)) return [{ ...PLAIN, contentType: 'text/html; charset=utf-8', body: toPage(text) }];
  // What a browser that is on the site already loads in the place of the page.
  if (isPageData({ props: json }))
    return [{ ...PLAIN, contentType: 'text/html; charset=utf-8', body: toPage(`{"props":${text}}`) }];
  return (
    fromCassette(json) ?? fromMock(json) ?? fromScenario(json) ?? [{ ...PLAIN, contentType: JSON_TYPE, body: text }]
  );
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** An answer that somebody keeps as the value of a constant. */
function fromScript(text: string): string {
  return JSON.stringify(readLiteral(text, text.indexOf('{'))?.value ?? null);
}

/** Whether a file holds only the data that Next.js puts into a page. */
function isPageData(json: unknown): boolean {
  return memberOf(memberOf(json, 'props'), 'pageProps') !== undefined;
}

function toPage(data: string): string {
  return `<!doctype html><script id="__NEXT_DATA__" type="application/json">${data.replaceAll('<', '\\u003c')}</script>`;
}

/** The head of an answer that stands in a file beside it. */
function readHeadFile(path: string): { readonly status?: number; readonly url?: string } {
  const file = path.replace(/\.html$/, '.headers.txt');
  if (file === path || !existsSync(file)) return {};
  const head = readFileSync(file, 'utf8');
  const status = Number(/HTTP\/[\d.]+ (\d{3})/.exec(head)?.[1] ?? 200);
  const url = /(?:WARC-Target-URI|url):\s*<?(https?:[^\s>]+)/i.exec(head)?.[1];
  return { status, ...(url === undefined ? {} : { url }) };
}

/** An answer as it stood on the wire. */
function fromHttp(text: string): Answer {
  const [head = '', ...rest] = text.split(/\r?\n\r?\n/);
  const [first = '', ...lines] = head.split(/\r?\n/);
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(':')[0]?.toLowerCase() ?? '', line.replace(/^[^:]*:\s*/, '')]),
  );
  const status = Number(first.split(' ')[1] ?? 200);
  return { ...PLAIN, status, headers, contentType: headers['content-type'] ?? 'text/html', body: rest.join('\n\n') };
}

/** Blocks of lines: scheme, method, host, port, path, headers, body, status, headers, body. */
function fromReplay(text: string): readonly Answer[] {
  return text.split(/\r?\n\r?\n/).flatMap((block) => {
    const lines = block.split(/\r?\n/);
    const [scheme, method = 'GET', host = '', , path = '', , , status = '200', head = '', body = ''] = lines;
    if (scheme !== 'https' && scheme !== 'http') return [];
    const headers = Object.fromEntries(
      [...head.matchAll(/\('([^']+)', '([^']*)'\)/g)].map((one) => [one[1] ?? '', one[2] ?? '']),
    );
    return [
      {
        ...PLAIN,
        method,
        url: `${scheme}://${host}${path}`,
        status: Number(status),
        headers,
        contentType: JSON_TYPE,
        body,
      },
    ];
  });
}

const Interactions = z.array(
  z.object({
    request: z.object({ uri: z.string(), method: z.string() }),
    response: z.object({
      status: z.object({ code: z.number() }),
      headers: z.record(z.string(), z.array(z.string())),
      body: z.object({ string: z.string().optional(), base64_string: z.string().optional() }),
    }),
  }),
);

/** Both names are in use. */
const Cassette = z.union([
  z.object({ http_interactions: Interactions }).transform((given) => given.http_interactions),
  z.object({ interactions: Interactions }).transform((given) => given.interactions),
]);

function fromCassette(json: unknown): readonly Answer[] | null {
  const read = Cassette.safeParse(json);
  if (!read.success) return null;
  return read.data.map(({ request, response }) => {
    const headers = Object.fromEntries(
      Object.entries(response.headers).map(([name, all]) => [name.toLowerCase(), all.join(', ')]),
    );
    const { string, base64_string: packed } = response.body;
    return {
      ...PLAIN,
      method: request.method,
      url: request.uri,
      status: response.status.code,
      headers,
      contentType: headers['content-type'] ?? JSON_TYPE,
      body: string ?? Buffer.from(packed ?? '', 'base64').toString('utf8'),
    };
  });
}

const Mock = z.object({
  request: z.object({ url: z.string(), httpMethod: z.string().default('GET') }),
  response: z.object({ responseCode: z.number(), responseBody: z.string(), latestUrl: z.string().optional() }),
});

function fromMock(json: unknown): readonly Answer[] | null {
  const read = Mock.safeParse(json);
  if (!read.success) return null;
  const { request, response } = read.data;
  const isJson = /^\s*[[{]/.test(response.responseBody);
  return [
    {
      ...PLAIN,
      method: request.httpMethod,
      url: response.latestUrl ?? request.url,
      status: response.responseCode,
      contentType: isJson ? JSON_TYPE : 'text/html; charset=utf-8',
      body: response.responseBody,
    },
  ];
}

const Scenario = z.array(
  z.object({ scope: z.string(), method: z.string(), path: z.string(), status: z.number(), response: z.unknown() }),
);

function fromScenario(json: unknown): readonly Answer[] | null {
  const read = Scenario.safeParse(json);
  if (!read.success || read.data.length === 0) return null;
  return read.data.map(({ scope, method, path, status, response }) => ({
    ...PLAIN,
    method: method.toUpperCase(),
    url: `${scope.replace(/:443$/, '')}${path}`,
    status,
    contentType: JSON_TYPE,
    body: typeof response === 'string' ? response : JSON.stringify(response),
  }));
}
