import { escapeHtml, toDocument } from './layout.ts';
import { html, type Page, typed } from './reply.ts';

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

/** The shop, its products and its data in other formats than HTML. */
export function shopPages(): ReadonlyMap<string, Page> {
  const pages = new Map<string, Page>();
  pages.set('/shop', ({ origin }) => html(toListing(origin)));
  for (const product of PRODUCTS) pages.set(`/shop/${product.slug}`, ({ origin }) => html(toProduct(product, origin)));
  pages.set('/shop/millstone-at-auction', ({ origin, visits }) => html(toAuction(origin, visits)));
  pages.set('/data/prices.json', () =>
    typed(
      'application/json',
      `${JSON.stringify({ currency: 'EUR', unit: 't', prices: PRICES.map(([grain, month, price]) => ({ grain, month, price })) }, null, 2)}\n`,
    ),
  );
  pages.set('/data/prices.csv', () =>
    typed('text/csv; charset=utf-8', `grain,month,price\n${PRICES.map((row) => row.join(',')).join('\n')}\n`),
  );
  pages.set('/data/opening-hours.txt', () => typed('text/plain; charset=utf-8', OPENING_HOURS));
  return pages;
}

/** A page whose price goes up with each visit. */
function toAuction(origin: string, visits: number): string {
  return toDocument({
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

function toListing(origin: string): string {
  const cards = PRODUCTS.map(
    (product) =>
      `<li class="card" data-sku="${product.sku}"><a href="/shop/${product.slug}"><img src="/images/grain.png" alt="" width="16" height="16"> ${escapeHtml(product.name)}</a> <span class="price">€${product.price}</span> <span class="stock">${product.inStock ? 'in stock' : 'sold out'}</span></li>`,
  );
  return toDocument({
    origin,
    path: '/shop',
    title: 'The mill shop',
    description: 'Flour, flakes and bran from Harrow Mill.',
    main: `<h1>The mill shop</h1>\n<ul class="products">\n${cards.join('\n')}\n</ul>\n<p><a href="/shop/millstone-at-auction">A millstone at auction</a></p>`,
  });
}

function toProduct(product: Product, origin: string): string {
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
  return toDocument({
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
