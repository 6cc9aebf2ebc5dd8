import { buildHtmlReply, type PageReply } from '#demo/layout.ts';
import { HOTEL_B_PAGES } from './hotel-b.ts';
import { readSyntheticPage, buildJsonReply, type MockCall, type MockSite } from './site-pages.ts';

/** The rate of a site for the hotel that both sites have. */
type HotelRate = {
  readonly night: number;
  readonly currency: string;
  /** Taxes and fees in addition to the rate; null if the site does not report them. */
  readonly taxes: number | null;
  readonly available: boolean;
  /** Whether the site responds. */
  readonly up: boolean;
};

const FIRST: HotelRate = { night: 100, currency: 'EUR', taxes: null, available: true, up: true };

const RATE_PATH = '/rehearsal/rate';
const NAME = 'Weir House';
const DAY_MS = 86_400_000;

/**
 * Mock of two hotel sites with one hotel in common, whose rates can be changed: `POST /rehearsal/rate` to the origin of a site sets
 * the given fields, such as `{"night": 110}`.
 */
export function buildHotelPages(): readonly MockSite[] {
  const onA = buildRate();
  const onB = buildRate();
  return [
    { site: 'hotel-a', origins: { web: (call) => onA.moved(call) ?? answerA(call, onA.rate()) } },
    {
      site: 'hotel-b',
      origins: {
        web: (call) => onB.moved(call) ?? answerB(call, onB.rate()) ?? HOTEL_B_PAGES.origins['web']?.(call) ?? null,
      },
    },
  ];
}

function buildRate() {
  let rate = FIRST;
  return {
    rate: () => rate,
    moved({ method, url, body }: MockCall): PageReply | null {
      if (method !== 'POST' || url.pathname !== RATE_PATH) return null;
      const change: Partial<HotelRate> = JSON.parse(body);
      rate = { ...rate, ...change };
      return buildJsonReply(rate);
    },
  };
}

function answerA({ url }: MockCall, rate: HotelRate): PageReply | null {
  if (url.pathname === '/harrow-mill-inn/hotel/harrow-gb.html')
    return readSyntheticPage('hotel-a', 'rate--inn.page.html');
  const isRooms = url.pathname === '/api/cronos/property/BelowFoldParams/GetSecondaryData';
  if (isRooms && url.searchParams.get('hotel_id') === '660033')
    return readSyntheticPage('hotel-a', 'rate--inn.page.json');
  const isPage = url.pathname === '/weir-house/hotel/harrow-gb.html';
  if (!isPage && !isRooms) return null;
  if (!rate.up) return buildHtmlReply('<!doctype html><div id="px-captcha"></div>', 403);
  if (isPage)
    return buildHtmlReply(
      `<!doctype html><title>${NAME}</title><h1>${NAME}</h1><script>var p = {"hotelId":880044};</script>\n`,
    );
  const offer = {
    id: 'w1',
    occupancy: 4,
    pricing: { displayPrice: rate.night },
    features: [{ title: 'Breakfast included' }],
  };
  return buildJsonReply({
    hotelInfo: { name: NAME },
    currencyInfo: { code: rate.currency },
    roomGridData: { masterRooms: rate.available ? [{ id: 7, name: 'Weir Double', rooms: [offer] }] : [] },
  });
}

function answerB({ url }: MockCall, rate: HotelRate): PageReply | null {
  const isSearch = url.pathname === '/searchresults.html' && url.searchParams.get('ss') === 'weir house';
  if (url.pathname !== '/hotel/gb/weir-house.html' && !isSearch) return null;
  if (!rate.up) return buildHtmlReply('<!doctype html><script>window.gokuProps={}</script>\n', 202);
  return buildHtmlReply(isSearch ? renderResults(url, rate) : renderProperty(url, rate));
}

/** The page of the hotel; it lists rooms if taxes are not reported. */
function renderProperty(url: URL, { night, currency, taxes, available }: HotelRate): string {
  const block = {
    b_block_id: 'w1_1',
    b_raw_price: String(night * countNights(url)),
    b_max_persons: 4,
    b_mealplan_included_name: 'breakfast',
  };
  const rooms = taxes === null && available ? [{ b_id: 1, b_name: 'Weir Double', b_blocks: [block] }] : [];
  const full = available ? '' : '<p>We have no rooms available at this property for your dates.</p>';
  return `<!doctype html><html lang="en"><title>${NAME}</title><link rel="canonical" href="${url.pathname}">
<h2 class="pp-header__title">${NAME}</h2>${full}
<script>booking.env.b_selected_currency = '${currency}'; booking.env.x = { b_rooms_available_and_soldout: ${JSON.stringify(rooms)},\n };</script></html>\n`;
}

/** The search results, which include taxes and fees. */
function renderResults(url: URL, { night, currency, taxes, available }: HotelRate): string {
  const charge = (amount: number) => ({ amountPerStay: { amountUnformatted: amount, currency } });
  const excluded = taxes === null || taxes === 0 ? [] : [{ chargeInclusion: 'EXCLUDED', ...charge(taxes) }];
  const result = {
    basicPropertyData: { pageName: 'weir-house', location: { countryCode: 'gb' } },
    displayName: { text: NAME },
    soldOutInfo: { isSoldOut: !available },
    priceDisplayInfoIrene: {
      displayPrice: charge(night * countNights(url)),
      excludedCharges: { excludeChargesList: excluded },
    },
    blocks: [{ blockId: { roomId: '1', occupancy: 4 } }],
  };
  return `<!doctype html><html lang="en"><title>Search</title><script data-capla-store-data="apollo" type="application/json">${JSON.stringify({ ROOT_QUERY: { results: [result] } })}</script></html>\n`;
}

function countNights({ searchParams }: URL): number {
  return (Date.parse(searchParams.get('checkout') ?? '') - Date.parse(searchParams.get('checkin') ?? '')) / DAY_MS;
}
