import { z } from 'zod';
import { selectAll, readLineAt, readSingleLine, selectFirst } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { getAttribute } from '#extract/html/tree.ts';
import { toDirectUrl } from '#extract/values/web-urls.ts';
import { EngineRecord, buildEngineResult, SAFE_LEVELS, TIME_RANGES } from '#sites/engines/shared.ts';
import { blocked, answerEmpty, type SiteAnswer, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import type { SiteRequest, SourcePage } from '#sites/framework/request.ts';
import { GOOGLE_DOMAINS, CONSENT_COOKIES, buildOriginName, google } from './site.ts';
import { isSoftBlock, readRendered } from './results-page.ts';

const PageInput = z.object({
  search: z.string().min(1),
  country: z.string().optional().describe('ISO 3166-1 alpha-2'),
  place: z.string().optional().describe('Canonical name of a place within the country: California,United States'),
  language: z.string().default('en'),
  domain: z
    .string()
    .refine((domain) => GOOGLE_DOMAINS.includes(domain), 'is no domain of the engine')
    .default('com'),
  page: z.int().min(1).default(1),
  safe: z.enum(SAFE_LEVELS).optional(),
  time_range: z.enum(TIME_RANGES).optional(),
});

type PageInput = z.output<typeof PageInput>;
type PageSource = EndpointSource<typeof PageInput, typeof EngineRecord>;

/** Number of results on one page. */
const PER_PAGE = 10;

const renderedSource: PageSource = {
  name: 'rendered',
  needs: 'browser',
  request: (input) => ({ ...buildRequest(input, '/search'), language: input.language }),
  parse: readRendered,
};

/** The page for old phones without scripts, which is only sent to their user agents. */
const wmlSource: PageSource = {
  name: 'wml',
  lacks: 'the page without scripts has no ads and no side panels',
  request: (input) => ({
    ...buildRequest(input, '/wml/search'),
    headers: { 'user-agent': 'Nokia6230i/2.0 (03.88) Profile/MIDP-2.0 Configuration/CLDC-1.1' },
  }),
  parse: readWml,
};

function buildRequest(
  { search, country, place, language, domain, page, safe, time_range: range }: PageInput,
  path: string,
): SiteRequest {
  return {
    origin: buildOriginName(domain),
    path,
    query: {
      q: search,
      hl: language,
      gl: country?.toLowerCase(),
      start: page === 1 ? null : (page - 1) * PER_PAGE,
      pws: 0,
      nfpr: 1,
      safe: safe === undefined ? null : safe === 'off' ? 'off' : 'active',
      tbs: range === undefined ? null : `qdr:${range.slice(0, 1)}`,
      uule: place === undefined ? null : formatUule(place),
    },
    cookies: CONSENT_COOKIES,
  };
}

const UULE_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Formats the `uule` parameter: the length of the place's canonical name and the name in base64. Null if it is too long. */
function formatUule(place: string): string | null {
  const bytes = Buffer.from(place, 'utf8');
  const length = UULE_DIGITS[bytes.byteLength];
  return length === undefined ? null : `w+CAIQICI${length}${bytes.toString('base64')}`;
}

/** One page of results. `/v1/websearch/search` requests as many pages as it needs. */
export const googlePage = google({
  path: '/page',
  summary: 'One page of web search results',
  internal: true,
  input: PageInput,
  record: EngineRecord,
  list: 'results',
  sources: [renderedSource, wmlSource],
  expected: ['results.description', 'results.url_shown'],
  canary: { search: 'windmill' },
});

/** Reads the page for old phones without scripts. It has no ads. */
function readWml({ body, url }: SourcePage): EngineRecord | SiteAnswer {
  const page = parsePage(body, url);
  const results = selectAll(page, 'div.zMzFAb').flatMap((box) => {
    const link = selectFirst(page, 'a.fuLhoc', box);
    const href = link === 0 ? null : getAttribute(page.tree, link, 'href');
    const target = href === null ? null : toDirectUrl(href, url);
    const title = readLineAt(page, 'span.CVA68e', box) ?? readSingleLine(page, link);
    if (target === null || title === null) return [];
    return [buildEngineResult({ title, url: target, description: readLineAt(page, '.taTFJ span.FrIlee', box) })];
  });
  if (results.length > 0) return { results, has_more: /[?&;]start=\d/.test(body), features: null };
  if (isSoftBlock(page)) return blocked('soft_block');
  return /did not match any documents/i.test(body) ? answerEmpty() : unusable('the results are missing');
}
