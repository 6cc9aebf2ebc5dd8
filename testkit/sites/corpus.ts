import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parseJsLiteral } from '#extract/json/literal.ts';
import { getMember, parseJsonValue } from '#extract/values/json.ts';

/** A recorded response of a site, from the test data of a public project. */
export type Recording = {
  readonly file: string;
  /** Null if the file does not contain the URL. */
  readonly url: string | null;
  readonly method: string;
  readonly post: string | null;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType: string;
  readonly body: string;
};

/** Files that are not recordings: output of tools, expected results and notes. */
const NO_PAGE = /parsed|output|expected|subset|scrapfly|^SOURCE|\.headers\.txt$|\.(?:ts|md)$|(?<!Resource-\w+)\.js$/i;

/** Lists the folders of recordings, such as `codehost/user`; none without a corpus. */
export function listFolders(corpus: string | undefined = process.env['QUERN_CORPUS']): readonly string[] {
  const root = corpus === undefined ? '' : join(corpus, 'sites');
  if (corpus === undefined || !existsSync(root)) return [];
  return readdirSync(root).flatMap((site) => readdirSync(join(root, site)).map((folder) => join(site, folder)));
}

/** Lists the recordings of a folder; none if it does not exist. */
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
  const json = parseJsonValue(text);
  if (isPageData(json)) return [{ ...PLAIN, contentType: 'text/html; charset=utf-8', body: toPage(text) }];
  // The data that a browser loads instead of a page when it navigates within the site.
  if (isPageData({ props: json }))
    return [{ ...PLAIN, contentType: 'text/html; charset=utf-8', body: toPage(`{"props":${text}}`) }];
  return (
    fromCassette(json) ?? fromMock(json) ?? fromScenario(json) ?? [{ ...PLAIN, contentType: JSON_TYPE, body: text }]
  );
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** Parses a script whose only constant is the response. */
function fromScript(text: string): string {
  return JSON.stringify(parseJsLiteral(text, text.indexOf('{'))?.value ?? null);
}

/** Whether a file contains only the data that Next.js embeds in a page. */
function isPageData(json: unknown): boolean {
  return getMember(getMember(json, 'props'), 'pageProps') !== undefined;
}

function toPage(data: string): string {
  return `<!doctype html><script id="__NEXT_DATA__" type="application/json">${data.replaceAll('<', '\\u003c')}</script>`;
}

/** Reads status and URL from the file next to a page that contains its headers. */
function readHeadFile(path: string): { readonly status?: number; readonly url?: string } {
  const file = path.replace(/\.html$/, '.headers.txt');
  if (file === path || !existsSync(file)) return {};
  const head = readFileSync(file, 'utf8');
  const status = Number(/HTTP\/[\d.]+ (\d{3})/.exec(head)?.[1] ?? 200);
  const url = /(?:WARC-Target-URI|url):\s*<?(https?:[^\s>]+)/i.exec(head)?.[1];
  return { status, ...(url === undefined ? {} : { url }) };
}

/** Parses a raw HTTP response. */
function fromHttp(text: string): Answer {
  const [head = '', ...rest] = text.split(/\r?\n\r?\n/);
  const [first = '', ...lines] = head.split(/\r?\n/);
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(':')[0]?.toLowerCase() ?? '', line.replace(/^[^:]*:\s*/, '')]),
  );
  const status = Number(first.split(' ')[1] ?? 200);
  return { ...PLAIN, status, headers, contentType: headers['content-type'] ?? 'text/html', body: rest.join('\n\n') };
}

/** Parses blocks of the lines scheme, method, host, port, path, headers, body, status, headers, body. */
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

/** Cassettes use one of two member names. */
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
