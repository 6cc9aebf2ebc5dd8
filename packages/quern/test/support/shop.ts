/** The number of pages of the listing, and of products on each. */
export const LISTING_PAGES = 50;
const ON_A_PAGE = 20;

/** The number of products, and of all URLs of the shop: front page, listing and products. */
export const PRODUCTS = LISTING_PAGES * ON_A_PAGE;
export const SHOP_URLS = 1 + LISTING_PAGES + PRODUCTS;

/**
 * The links of a page of a shop without a sitemap: one listing of 50 pages has its 1000 products, and each page links
 * to the next. Null if there is no such page.
 */
export function shopLinks(path: string): readonly string[] | null {
  if (path === '/') return ['/all'];
  if (/^\/product-\d+$/.test(path)) return ['/', '/all'];
  const page = path === '/all' ? 1 : Number(/^\/all\?page=(\d+)$/.exec(path)?.[1] ?? 0);
  if (page < 1 || page > LISTING_PAGES) return null;
  const products = Array.from({ length: ON_A_PAGE }, (_, at) => `/product-${(page - 1) * ON_A_PAGE + at}`);
  return [...products, ...(page < LISTING_PAGES ? [`/all?page=${page + 1}`] : []), '/'];
}
