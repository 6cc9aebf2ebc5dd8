/** Pages of the shop's one listing, and products on each. */
export const LISTING_PAGES = 50;
const ON_A_PAGE = 20;

/** Products, and all addresses of the shop: its front page, the listing and the products. */
export const PRODUCTS = LISTING_PAGES * ON_A_PAGE;
export const SHOP_URLS = 1 + LISTING_PAGES + PRODUCTS;

/**
 * The links of a page of a shop without a sitemap: its 1000 products are named by one listing of 50 pages, each of which
 * links to the next. Null where there is no page.
 */
export function shopLinks(path: string): readonly string[] | null {
  if (path === '/') return ['/all'];
  if (/^\/product-\d+$/.test(path)) return ['/', '/all'];
  const page = path === '/all' ? 1 : Number(/^\/all\?page=(\d+)$/.exec(path)?.[1] ?? 0);
  if (page < 1 || page > LISTING_PAGES) return null;
  const products = Array.from({ length: ON_A_PAGE }, (_, at) => `/product-${(page - 1) * ON_A_PAGE + at}`);
  return [...products, ...(page < LISTING_PAGES ? [`/all?page=${page + 1}`] : []), '/'];
}
