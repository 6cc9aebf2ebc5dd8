import { buildHtmlReply, type PageReply } from '#demo/layout.ts';
import type { MockCall } from './site-pages.ts';

const PAGE_ID = '112233445566778';
const PAGE_WITHOUT_ADS = '112233445566779';
const COUNT = 45;
const FIRST = 20;
const EACH = 10;
const KNOWN_AD = '800100000000001';
const VERIFY = '/__rd_verify_Q_harrow?challenge=3';

/** Builds the ad with this index in the format of the ad library. */
function buildAd(place: number) {
  const isActive = place < 3;
  return {
    ad_archive_id: `8001000000000${String(place + 1).padStart(2, '0')}`,
    collation_count: place === 0 ? 3 : null,
    collation_id: `50${place}`,
    page_id: PAGE_ID,
    page_name: 'Harrow Mill',
    is_active: isActive,
    start_date: 1_780_000_000 - place * 86_400,
    end_date: 1_790_000_000 - place * 86_400,
    publisher_platform: ['FACEBOOK', 'INSTAGRAM'],
    is_aaa_eligible: place === 0,
    contains_digital_created_media: false,
    categories: ['UNKNOWN'],
    currency: '',
    spend: null,
    impressions_with_index: { impressions_text: null, impressions_index: -1 },
    reach_estimate: null,
    targeted_or_reached_countries: [],
    snapshot: {
      page_id: PAGE_ID,
      page_name: 'Harrow Mill',
      page_profile_uri: 'https://facebook.com/harrowmill',
      page_profile_picture_url: 'https://scontent.example/mill-logo.jpg',
      page_categories: ['Mill'],
      page_like_count: 3246,
      display_format: 'IMAGE',
      body: { text: `Fresh flour, sack ${place + 1}.` },
      title: 'Flour by the sack',
      caption: 'harrowmill.example',
      link_url: 'https://harrowmill.example/flour',
      link_description: null,
      cta_type: 'SHOP_NOW',
      cta_text: 'Shop now',
      byline: null,
      disclaimer_label: null,
      images: [
        {
          original_image_url: `https://scontent.example/ad-${place}.jpg`,
          resized_image_url: `https://scontent.example/ad-${place}-s.jpg`,
        },
      ],
      videos: [],
      cards: [],
    },
  };
}

function buildConnection(from: number, to: number) {
  const end = Math.min(COUNT, to);
  const ads = Array.from({ length: Math.max(0, end - from) }, (_, at) => buildAd(from + at));
  return {
    count: COUNT,
    edges: ads.map((ad) => ({ node: { collated_results: [ad] } })),
    page_info: { end_cursor: String(end), has_next_page: end < COUNT },
  };
}

const NO_ADS = { count: 0, edges: [], page_info: { end_cursor: null, has_next_page: false } };

const DETAILS = {
  transparency_by_location: {
    eu_transparency: {
      eu_total_reach: 1204,
      age_audience: { min: 18, max: 65 },
      gender_audience: 'All',
      location_audience: [{ name: 'Ireland', type: 'countries', excluded: false }],
      age_country_gender_reach_breakdown: [
        { country: 'IE', age_gender_breakdowns: [{ age_range: '25-34', male: 300, female: 400, unknown: 4 }] },
      ],
    },
    uk_transparency: null,
  },
  aaa_info: { payer_beneficiary_data: [{ payer: 'Harrow Mill Ltd', beneficiary: 'Harrow Mill' }] },
};

function renderPage(main: object, rest = ''): PageReply {
  const result = { __bbox: { complete: true, result: { data: { ad_library_main: main } } } };
  const cached = ['RelayPrefetchedStreamCache', 'next', [], ['adp_AdLibraryFoundationRootQueryRelayPreloader', result]];
  const data = { require: [['ScheduledServerJS', 'handle', null, [{ __bbox: { require: [cached] } }]]] };
  const script = JSON.stringify(data).replaceAll('<', String.raw`\u003C`);
  return buildHtmlReply(
    `<!DOCTYPE html><html lang="en"><head><title>Ad Library</title><script type="application/json" data-sjs>${script}</script></head><body>${rest}</body></html>\n`,
  );
}

/** A script that sends an API query like the page's own scripts. */
const ASKING = `const ask = (name, variables) => fetch('/api/graphql/', { method: 'POST', body: new URLSearchParams({
  fb_api_req_friendly_name: name, variables: JSON.stringify(variables), server_timestamps: 'true', doc_id: '1' }) });`;

/** The results, and a script that loads more at the end of the page. */
const SCROLLED = `<div role="main" id="list">${'<div style="height: 300px">An ad of Harrow Mill, as the library shows it.</div>'.repeat(FIRST)}</div>
<script>${ASKING}
let cursor = '${FIRST}';
let busy = false;
addEventListener('scroll', async () => {
  if (busy || cursor === null || scrollY + innerHeight < document.body.scrollHeight - 200) return;
  busy = true;
  await ask('AdLibraryBatchedLoggerMutation', {});
  const [line] = (await (await ask('AdLibrarySearchPaginationQuery', { cursor, first: ${EACH} })).text()).split('\\n');
  const { edges, page_info: next } = JSON.parse(line).data.ad_library_main.search_results_connection;
  for (const _ of edges) list.insertAdjacentHTML('beforeend', '<div style="height: 300px">An ad of Harrow Mill.</div>');
  cursor = next.has_next_page ? next.end_cursor : null;
  busy = false;
});</script>`;

const DETAILED = `<div role="main"><p>${'An ad of Harrow Mill, as the library shows it. '.repeat(8)}</p></div>
<script>${ASKING} ask('AdLibraryV3AdDetailsQuery', { adArchiveID: '${KNOWN_AD}' });</script>`;

/** Mock ad library: visitors must pass a challenge once; the page has some results and loads the rest. */
export function renderAdLibraryPage({ method, url, headers, body }: MockCall): PageReply | null {
  if (url.pathname.startsWith('/__rd_verify_')) {
    const cookie = { 'set-cookie': 'rd_challenge=harrow; Path=/; Max-Age=86400', 'content-type': 'text/plain' };
    return { status: method === 'POST' ? 200 : 405, headers: cookie, body: '' };
  }
  if (url.pathname === '/api/graphql/') return answerQuery(new URLSearchParams(body));
  if (url.pathname !== '/ads/library/') return null;
  const query = url.searchParams;
  const isUnmoved = query.get('q') === 'locked mill';
  if (isUnmoved || !(headers.cookie ?? '').includes('rd_challenge=harrow')) return CHALLENGE;
  if (query.get('q') === 'late mill') return { ...buildHtmlReply('<p>At last.</p>'), delayMs: 20_000 };
  if (query.has('id')) return renderSingleAd(query.get('id'));
  const owner = query.get('view_all_page_id');
  const info = owner === PAGE_ID || owner === PAGE_WITHOUT_ADS ? { page_id: owner, page_name: 'Harrow Mill' } : null;
  const knows = owner === null ? {} : { ad_library_page_info: { page_info: info } };
  const hasSome = owner === PAGE_ID || /\bflour\b/i.test(query.get('q') ?? '');
  if (!hasSome)
    return renderPage({ search_results_connection: NO_ADS, ...knows }, '<div role="main">No ads match.</div>');
  return renderPage({ search_results_connection: buildConnection(0, FIRST), ...knows }, SCROLLED);
}

function renderSingleAd(id: string | null): PageReply {
  if (id !== KNOWN_AD) return renderPage({}, '<div role="main">This ad is no longer available.</div>');
  return renderPage({ deeplink_ad_archive_result: { deeplink_ad_archive: buildAd(0) } }, DETAILED);
}

/** Responses are streamed as one JSON value per line, with a wrong content type. */
function answerQuery(asked: URLSearchParams): PageReply {
  const variables: unknown = JSON.parse(asked.get('variables') ?? '{}');
  const cursor = Number(/"cursor":"(\d+)"/.exec(JSON.stringify(variables))?.[1] ?? 0);
  const main = {
    AdLibrarySearchPaginationQuery: { search_results_connection: buildConnection(cursor, cursor + EACH) },
    AdLibraryV3AdDetailsQuery: { ad_details: DETAILS },
  }[asked.get('fb_api_req_friendly_name') ?? ''];
  const lines = [{ data: { ad_library_main: main ?? null } }, { label: 'AdLibrary$defer', data: {} }];
  return buildHtmlReply(`${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
}

const CHALLENGE: PageReply = buildHtmlReply(
  `<!DOCTYPE html>
<html>
<head>
<title>Ad Library</title>
</head>
<body>
<script>
(function() {
  if (document.readyState !== 'loading') {
    executeChallenge();
  } else {
    document.addEventListener('DOMContentLoaded', executeChallenge);
  }
  function executeChallenge() {
    fetch('${VERIFY}', {
      method: 'POST',
    })
    .finally(() => window.location.reload());
  }
})();
</script>
</body>
</html>
`,
  403,
);
