import { z } from 'zod';
import { SAFE_LEVELS, TIME_RANGES } from '#sites/engines/names.ts';
import { EngineRecord } from '#sites/engines/engine-record.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import type { SiteRequest } from '#sites/framework/request.ts';
import { ENGINE_DOMAINS } from './domains.ts';
import { readRendered } from './rendered.ts';
import { CONSENTED, originFor, websearch } from './site.ts';
import { readWml } from './wml.ts';

const PageInput = z.object({
  search: z.string().min(1),
  country: z.string().optional().describe('ISO 3166-1 alpha-2'),
  place: z.string().optional().describe('A finer place: California,United States'),
  language: z.string().default('en'),
  domain: z
    .string()
    .refine((domain) => ENGINE_DOMAINS.includes(domain), 'is no domain of the engine')
    .default('com'),
  page: z.int().min(1).default(1),
  safe: z.enum(SAFE_LEVELS).optional(),
  time_range: z.enum(TIME_RANGES).optional(),
});

type PageInput = z.output<typeof PageInput>;
type PageSource = EndpointSource<typeof PageInput, typeof EngineRecord>;

/** Results of one page of the engine. */
const PER_PAGE = 10;

const rendered: PageSource = {
  name: 'rendered',
  needs: 'browser',
  request: (input) => ({ ...ask(input, '/search'), language: input.language }),
  parse: readRendered,
};

/** The page for telephones that run no scripts, which is sent to those alone. */
const wml: PageSource = {
  name: 'wml',
  lacks: 'the page without scripts shows nothing that is paid for',
  request: (input) => ({
    ...ask(input, '/wml/search'),
    headers: { 'user-agent': 'Nokia6230i/2.0 (03.88) Profile/MIDP-2.0 Configuration/CLDC-1.1' },
  }),
  parse: readWml,
};

function ask(
  { search, country, place, language, domain, page, safe, time_range: range }: PageInput,
  path: string,
): SiteRequest {
  return {
    origin: originFor(domain),
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
      uule: place === undefined ? null : toUule(place),
    },
    cookies: CONSENTED,
  };
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** A place as the engine takes it: its canonical name and the length of that; null for one that is too long. */
function toUule(place: string): string | null {
  const bytes = Buffer.from(place, 'utf8');
  const length = DIGITS[bytes.byteLength];
  return length === undefined ? null : `w+CAIQICI${length}${bytes.toString('base64')}`;
}

/** One page of results; `/v1/websearch/search` asks for as many as are wanted. */
export const websearchPage = websearch({
  path: '/page',
  summary: 'One page of web search results',
  internal: true,
  input: PageInput,
  record: EngineRecord,
  list: 'results',
  sources: [rendered, wml],
  expected: ['results.description', 'results.url_shown'],
  canary: { search: 'windmill' },
});
