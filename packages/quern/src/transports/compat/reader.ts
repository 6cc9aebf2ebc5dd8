import { z } from 'zod';
import { buildInputChecker } from '#engine/call/validation.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { ServiceError } from '#kernel/errors.ts';
import { readForm } from './body.ts';
import { type CompatInterface, type CompatReply, type CompatRequest, replyJson } from './interface.ts';
import { getContent, Page } from './read-pages.ts';
import { runToEnd } from './run-to-end.ts';

/** The formats of `x-respond-with`, and the output of a fetch that each is made of. */
const OUTPUTS = {
  content: 'markdown',
  markdown: 'markdown',
  html: 'raw_html',
  text: 'text',
  screenshot: 'screenshot',
  pageshot: 'screenshot',
} as const;

type Format = keyof typeof OUTPUTS;

const FORMATS = ['content', 'markdown', 'html', 'text', 'screenshot', 'pageshot'] as const satisfies readonly Format[];

const MAX_TIMEOUT_SECONDS = 180;

/** How old a copy of a page may be without `x-no-cache`, ms. */
const DEFAULT_MAX_AGE_MS = 300_000;

/** The options of a call. `x-return-format` is the older name of `x-respond-with`. */
const checkOptions = buildInputChecker({
  input: z.looseObject({
    url: z.string().min(1).max(8192),
    'x-respond-with': z.enum(FORMATS).default('content'),
    'x-target-selector': z.string().optional(),
    'x-remove-selector': z.string().optional(),
    'x-wait-for-selector': z.string().optional(),
    'x-timeout': z.coerce.number().int().min(1).max(MAX_TIMEOUT_SECONDS).optional(),
    'x-with-links-summary': z.string().default('false'),
    'x-no-cache': z.string().default('false'),
  }),
  aliases: { 'x-respond-with': ['x-return-format'] },
});

type Options = ReturnType<typeof checkOptions>['input'];

/** Answers `GET /r/URL`. */
async function readAddress(request: CompatRequest): Promise<CompatReply> {
  return read(request, toAddress(`${request.params['url'] ?? ''}${request.search}`));
}

/** Completes an address that follows a prefix: it may be escaped as a whole, and proxies join double slashes. */
function toAddress(text: string): string {
  const plain = /^https?%3a/i.test(text) ? decodeAddress(text) : text;
  return plain.replace(/^(https?):\/+/i, '$1://');
}

function decodeAddress(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ServiceError('invalid_request', 'url: is malformed: check its percent escapes');
  }
}

/** Answers `POST /r/` with `url` as JSON or in a form. */
async function readPosted(request: CompatRequest): Promise<CompatReply> {
  const { body } = request;
  return read(request, readForm(body)?.get('url') ?? (isJsonObject(body) ? body['url'] : undefined));
}

async function read(request: CompatRequest, url: unknown): Promise<CompatReply> {
  const { input: options } = checkOptions({ ...pickOptions(request.headers), url });
  const { body, creditsUsed } = await runToEnd(request, 'fetch', toFetchInput(options));
  const page = Page.parse(body);
  const shot = body['screenshot'];
  const image = isJsonObject(shot) ? request.toFileUrl(String(shot['id'])) : null;
  if (wantsJson(request.headers)) return replyJson(toJson(page, options, { image, credits: creditsUsed }));
  if (OUTPUTS[options['x-respond-with']] !== 'screenshot') return { status: 200, ...toText(page, options) };
  if (image === null) throw new ServiceError('unsupported_content', 'a browser cannot display the target');
  return { status: 302, headers: { location: image }, type: TEXT_TYPE, body: image };
}

/** Headers without a value mean nothing. */
function pickOptions(headers: CompatRequest['headers']): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name, value]) => name.startsWith('x-') && value !== ''));
}

function toFetchInput(options: Options): JsonObject {
  const output = OUTPUTS[options['x-respond-with']];
  const { 'x-target-selector': target, 'x-remove-selector': removed, 'x-timeout': seconds } = options;
  return {
    url: options.url,
    output: [output, 'metadata', ...(isOn(options['x-with-links-summary']) ? ['links'] : [])],
    ...(options['x-respond-with'] === 'pageshot' ? { screenshot: { full_page: true } } : {}),
    ...(target === undefined ? {} : { include_selectors: [target], only_main_content: false }),
    exclude_selectors: removed === undefined ? [] : [removed],
    wait_for_selector: options['x-wait-for-selector'],
    timeout_ms: seconds === undefined ? undefined : seconds * 1000,
    max_age_ms: isOn(options['x-no-cache']) || output === 'screenshot' ? 0 : DEFAULT_MAX_AGE_MS,
  };
}

function isOn(value: string): boolean {
  return !/^(?:false|0|no)$/i.test(value);
}

function wantsJson({ accept = '' }: CompatRequest['headers']): boolean {
  return /\bapplication\/json\b/i.test(accept);
}

const TEXT_TYPE = 'text/plain; charset=utf-8';

/** The text of a page. HTML is sent as text too, since scripts of other sites must not run on this origin. */
function toText(page: Page, options: Options): { readonly type: string; readonly body: string } {
  const format = options['x-respond-with'];
  const content = getContent(page) + formatLinks(page, options);
  if (format === 'html' || format === 'text') return { type: TEXT_TYPE, body: content };
  const published = getPublished(page);
  const head = [
    `Title: ${page.metadata.title ?? ''}`,
    `URL Source: ${page.final_url}`,
    ...(published === undefined ? [] : [`Published Time: ${published}`]),
    'Markdown Content:\n',
  ].join('\n\n');
  return { type: 'text/markdown; charset=utf-8', body: format === 'content' ? head + content : content };
}

function getPublished({ metadata }: Page): string | undefined {
  return metadata.published_at ?? metadata.published_date ?? undefined;
}

/** The list of links after the text; empty unless it is wanted. */
function formatLinks(page: Page, options: Options): string {
  if (!isOn(options['x-with-links-summary'])) return '';
  const lines = Object.entries(indexLinks(page)).map(([text, url]) => `- [${text}](${url})`);
  return `\n\nLinks/Buttons:\n${lines.join('\n')}`;
}

/** The first URL of each text of a link. */
function indexLinks({ links = [] }: Page): Readonly<Record<string, string>> {
  return Object.fromEntries(links.map(({ text, url }) => [text.trim() || url, url] as const).toReversed());
}

type JsonFacts = { readonly image: string | null; readonly credits: number };

function toJson(page: Page, options: Options, { image, credits }: JsonFacts): JsonObject {
  const { title, description } = page.metadata;
  const format = options['x-respond-with'];
  const name = format === 'html' || format === 'text' ? format : 'content';
  return {
    code: 200,
    status: 20_000,
    data: {
      title: title ?? '',
      description: description ?? '',
      url: page.final_url,
      ...(OUTPUTS[format] === 'screenshot' ? { screenshotUrl: image } : { [name]: getContent(page) }),
      publishedTime: getPublished(page),
      links: isOn(options['x-with-links-summary']) ? indexLinks(page) : undefined,
      usage: { credits },
    },
  };
}

function describeFailure({ code, message, status }: ServiceError, headers: CompatRequest['headers']): CompatReply {
  if (!wantsJson(headers)) return { status, type: TEXT_TYPE, body: `${message}\n` };
  return replyJson(
    { code: status, status: status * 100, name: code, message, readableMessage: message, data: null },
    status,
  );
}

/** A reader by prefix, as https://r.jina.ai */
export const READER: CompatInterface = {
  routes: [
    { route: 'GET /{url*}', answer: readAddress },
    { route: 'POST /', answer: readPosted },
  ],
  describeFailure,
};
