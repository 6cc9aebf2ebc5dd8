import {
  escapeHtml,
  renderDocument,
  type PageCall,
  buildHtmlReply,
  type Page,
  type PageReply,
  buildReply,
} from './layout.ts';

type Product = {
  readonly slug: string;
  readonly name: string;
  readonly sku: string;
  readonly gtin: string;
  readonly price: string;
  readonly inStock: boolean;
  readonly description: string;
};

const PRODUCTS: readonly Product[] = [
  {
    slug: 'whole-rye-flour',
    name: 'Whole rye flour, stone-ground, 1 kg',
    sku: 'HM-RYE-1000',
    gtin: '4006381333931',
    price: '4.90',
    inStock: true,
    description: 'Rye from the lower meadow, ground on Wednesday. Median grain 290 µm.',
  },
  {
    slug: 'spelt-flour',
    name: 'Spelt flour, type 630, 1 kg',
    sku: 'HM-SPE-1000',
    gtin: '4006381333948',
    price: '5.40',
    inStock: true,
    description: 'Light spelt for cakes and buns.',
  },
  {
    slug: 'rolled-oats',
    name: 'Rolled oats, 500 g',
    sku: 'HM-OAT-0500',
    gtin: '4006381333955',
    price: '2.60',
    inStock: false,
    description: 'Rolled the same day. Out of stock until the next wet Wednesday.',
  },
];

const PRICES = [
  ['rye', '2026-09', 201],
  ['rye', '2026-10', 214],
  ['wheat', '2026-09', 218],
  ['wheat', '2026-10', 221],
  ['spelt', '2026-09', 331],
  ['spelt', '2026-10', 324],
] as const;

const OPENING_HOURS = `The mill shop

Wednesday  09:00 - 12:00
Saturday   09:00 - 12:00

Bring your own bag and the flour costs ten cents less.
`;

/** The shop, its products, and data in formats other than HTML. */
export function buildShopPages(): ReadonlyMap<string, Page> {
  const pages = new Map<string, Page>();
  pages.set('/shop', ({ origin }) => buildHtmlReply(renderListing(origin)));
  for (const product of PRODUCTS)
    pages.set(`/shop/${product.slug}`, ({ origin }) => buildHtmlReply(renderProduct(product, origin)));
  pages.set('/shop/millstone-at-auction', ({ origin, visits }) => buildHtmlReply(renderAuction(origin, visits)));
  pages.set('/data/prices.json', () =>
    buildReply(
      'application/json',
      `${JSON.stringify({ currency: 'EUR', unit: 't', prices: PRICES.map(([grain, month, price]) => ({ grain, month, price })) }, null, 2)}\n`,
    ),
  );
  pages.set('/data/prices.csv', () =>
    buildReply('text/csv; charset=utf-8', `grain,month,price\n${PRICES.map((row) => row.join(',')).join('\n')}\n`),
  );
  pages.set('/data/opening-hours.txt', () => buildReply('text/plain; charset=utf-8', OPENING_HOURS));
  return pages;
}

/** A page whose price rises with each visit. */
function renderAuction(origin: string, visits: number): string {
  return renderDocument({
    origin,
    path: '/shop/millstone-at-auction',
    title: 'A millstone at auction',
    description: 'The old runner stone goes to whoever bids most.',
    main: `<h1>A millstone at auction</h1>
<p>The old runner stone of the lower pair, French burr, 1.2 m across. Whoever looks seems to bid.</p>
<p>Bids so far: <b class="bids">${visits}</b></p>
<p>The highest: <b class="price">€${400 + 5 * visits}.00</b></p>`,
  });
}

function renderListing(origin: string): string {
  const cards = PRODUCTS.map(
    (product) =>
      `<li class="card" data-sku="${product.sku}"><a href="/shop/${product.slug}"><img src="/images/grain.png" alt="" width="16" height="16"> ${escapeHtml(product.name)}</a> <span class="price">€${product.price}</span> <span class="stock">${product.inStock ? 'in stock' : 'sold out'}</span></li>`,
  );
  return renderDocument({
    origin,
    path: '/shop',
    title: 'The mill shop',
    description: 'Flour, flakes and bran from Harrow Mill.',
    main: `<h1>The mill shop</h1>\n<ul class="products">\n${cards.join('\n')}\n</ul>\n<p><a href="/shop/millstone-at-auction">A millstone at auction</a></p>`,
  });
}

function renderProduct(product: Product, origin: string): string {
  const address = `${origin}/shop/${product.slug}`;
  const availability = `https://schema.org/${product.inStock ? 'InStock' : 'OutOfStock'}`;
  const described = JSON.stringify({
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: product.name,
    sku: product.sku,
    gtin13: product.gtin,
    brand: { '@type': 'Brand', name: 'Harrow Mill' },
    description: product.description,
    image: `${origin}/images/grain.png`,
    offers: { '@type': 'Offer', price: product.price, priceCurrency: 'EUR', availability, url: address },
  });
  return renderDocument({
    origin,
    path: `/shop/${product.slug}`,
    title: product.name,
    description: product.description,
    head: `<meta property="og:type" content="product">
<meta property="og:image" content="${origin}/images/grain.png">
<meta property="product:price:amount" content="${product.price}">
<meta property="product:price:currency" content="EUR">
<script type="application/ld+json">${described}</script>`,
    main: `<nav aria-label="Breadcrumb"><a href="/shop">Shop</a> › Flour</nav>
<div itemscope itemtype="https://schema.org/Product">
<h1 itemprop="name">${escapeHtml(product.name)}</h1>
<img itemprop="image" src="/images/grain.png" alt="${escapeHtml(product.name)}" width="16" height="16">
<p itemprop="description">${escapeHtml(product.description)}</p>
<div itemprop="offers" itemscope itemtype="https://schema.org/Offer">
<p class="price">€<span itemprop="price" content="${product.price}">${product.price}</span><meta itemprop="priceCurrency" content="EUR"></p>
<link itemprop="availability" href="${availability}"><p class="stock">${product.inStock ? 'In stock' : 'Sold out'}</p>
</div>
<table class="facts">
<tr><th>Article</th><td itemprop="sku">${product.sku}</td></tr>
<tr><th>Brand</th><td itemprop="brand">Harrow Mill</td></tr>
<tr><th>EAN</th><td itemprop="gtin13">${product.gtin}</td></tr>
</table>
</div>`,
  });
}

const LOGIN_PATH = '/account/login';
/** The cookie of a logged-in customer. */
const LOGIN_COOKIE = 'mill_ticket=grist-1781';

/** The pages of a customer's account, and the login form. */
export function buildLoginPages(): ReadonlyMap<string, Page> {
  return new Map<string, Page>([
    [LOGIN_PATH, ({ origin }) => buildHtmlReply(renderDocument({ origin, ...LOGIN_PAGE }))],
    ['/account/open', handleLogin],
    ['/account', (call) => renderForCustomer(call, ACCOUNT_PAGE)],
    ['/account/orders', (call) => renderForCustomer(call, ORDERS_PAGE)],
  ]);
}

const LOGIN_PAGE = {
  path: LOGIN_PATH,
  title: 'Log in',
  description: 'For customers of the mill.',
  main: `<h1>Log in</h1>
<form action="/account/open">
<p><label>User <input name="user"></label> <label>Password <input name="word" type="password"></label></p>
<p><button>Log in</button></p>
</form>`,
};

const ACCOUNT_PAGE = {
  path: '/account',
  title: 'Your account',
  description: 'The account of a customer.',
  main: `<h1>Welcome, Ann</h1>
<p>You have been a customer of Harrow Mill since 1998, and your flour is ground on the first stone of the morning.</p>
<p><a href="/account/orders">Your orders</a></p>`,
};

const ORDERS_PAGE = {
  path: '/account/orders',
  title: 'Your orders',
  description: 'Orders of a customer.',
  main: `<h1>Your orders</h1>
<table><tr><th>Day</th><th>Flour</th></tr><tr><td>3 June</td><td>Whole rye flour</td></tr><tr><td>10 June</td><td>Rolled oats</td></tr></table>`,
};

function handleLogin({ url }: PageCall): PageReply {
  const isAnn = url.searchParams.get('user') === 'ann' && url.searchParams.get('word') === 'grist';
  if (!isAnn) return { status: 303, headers: { location: LOGIN_PATH }, body: '' };
  const cookie = `${LOGIN_COOKIE}; Path=/account; HttpOnly; SameSite=Lax`;
  return { status: 303, headers: { location: '/account', 'set-cookie': cookie }, body: '' };
}

/** Redirects visitors without the cookie to the login form. */
function renderForCustomer({ origin, headers }: PageCall, sheet: typeof ACCOUNT_PAGE): PageReply {
  const isOpen = (headers.cookie ?? '').split('; ').includes(LOGIN_COOKIE);
  if (!isOpen) return { status: 302, headers: { location: LOGIN_PATH }, body: '' };
  return buildHtmlReply(renderDocument({ origin, ...sheet }));
}

const ORDER_ITEMS = [
  ['Whole rye flour', '4.90'],
  ['Spelt flour', '5.40'],
  ['Rolled oats', '2.60'],
  ['Wheat flour, strong', '3.80'],
  ['Buckwheat groats', '4.20'],
  ['Barley flakes', '2.90'],
] as const;

const ITEMS_PER_PAGE = 2;

/** Client-side paging of the list, without requests. */
const PAGER_SCRIPT = `const rows = [...document.querySelectorAll('#sacks tr')];
let first = 0;
function turn(by) {
  first += by;
  rows.forEach((row, at) => { row.hidden = at < first || at >= first + ${ITEMS_PER_PAGE}; });
  next.hidden = first + ${ITEMS_PER_PAGE} >= rows.length;
}
next.onclick = () => turn(${ITEMS_PER_PAGE});
turn(0);
onmessage = () => { send.disabled = false; };`;

/** An order form with a paged list and terms in a frame, for browser sessions. */
export function buildOrderPages(): ReadonlyMap<string, Page> {
  return new Map<string, Page>([
    ['/shop/order', ({ origin }) => buildHtmlReply(renderDocument({ origin, ...ORDER_PAGE }))],
    ['/shop/order/terms', () => buildHtmlReply(TERMS_HTML)],
    ['/shop/order/sent', ({ origin, url }) => buildHtmlReply(renderOrderSent(origin, url.searchParams))],
  ]);
}

const ORDER_PAGE = {
  path: '/shop/order',
  title: 'Order flour',
  description: 'Order for Wednesday.',
  main: `<h1>Order flour</h1>
<table><tbody id="sacks">${ORDER_ITEMS.map(([name, price]) => `<tr><td>${name}</td><td class="price">${price} €</td></tr>`).join('')}</tbody></table>
<button id="next" type="button">More flour</button>
<form action="/shop/order/sent">
<p><label>Name <input name="name"></label> <label>Customer number <input name="number" type="password"></label></p>
<p><label>Flour <select name="flour">${ORDER_ITEMS.map(([name]) => `<option>${name}</option>`).join('')}</select></label></p>
<iframe name="terms" title="Terms" src="/shop/order/terms" width="420" height="70"></iframe>
<p><button id="send" disabled>Order</button></p>
</form>
<script>${PAGER_SCRIPT}</script>`,
};

const TERMS_HTML = `<!doctype html><html lang="en"><title>Terms</title><body><label><input type="checkbox"
 onchange="parent.postMessage('agreed', '*')"> I fetch it on Wednesday before noon.</label></body></html>
`;

function renderOrderSent(origin: string, given: URLSearchParams): string {
  const [name = '', flour = ''] = ['name', 'flour'].map((member) => escapeHtml(given.get(member) ?? ''));
  const main = `<h1>Thank you, ${name}</h1><p>One sack of <b id="flour">${flour}</b> waits for you on Wednesday.</p>`;
  return renderDocument({ origin, path: '/shop/order/sent', title: 'Ordered', description: 'Your order.', main });
}
