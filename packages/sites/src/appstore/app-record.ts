import { z } from 'zod';

const Text = z.string().nullable();
const Count = z.int().min(0).nullable();
const Flag = z.boolean().nullable();
const Texts = z.array(z.string()).readonly().nullable();

export const STORES = ['apple', 'play'] as const;

/** One of the two stores. */
export type AppStore = (typeof STORES)[number];

/** An app as lists have it. */
export const AppSummary = z.object({
  id: z.string().describe('A number of apple, a name such as com.example.app of play'),
  store: z.enum(STORES),
  url: z.string(),
  title: z.string(),
  summary: Text,
  developer: z.object({ id: Text, name: Text, url: Text, website_url: Text }).nullable(),
  icon_url: Text,
  screenshots: Texts,
  price: z.number().min(0).nullable(),
  currency: Text,
  price_text: Text,
  is_free: Flag,
  rating: z.number().min(0).max(5).nullable(),
  rating_count: Count,
  category: Text,
});

export type AppSummary = z.output<typeof AppSummary>;

/** An app in full. */
export const App = AppSummary.extend({
  bundle_id: Text,
  description_html: Text,
  description_text: Text,
  video_url: Text,
  has_in_app_purchases: Flag,
  in_app_price_text: Text,
  review_count: Count,
  histogram: z.array(z.int().min(0)).readonly().nullable().describe('Ratings of 1 to 5 stars'),
  installs: Count.describe('At least'),
  installs_text: Text,
  categories: Texts,
  content_rating: Text,
  version: Text,
  minimum_os: Text,
  size_bytes: Count,
  languages: Texts,
  released_at: Text,
  updated_at: Text,
  release_notes: Text,
  privacy_url: Text,
});

export type App = z.output<typeof App>;

type NamedApp = Pick<AppSummary, 'id' | 'store' | 'url' | 'title'>;

/** An app of which no more is known than its name. */
export function bareApp(named: NamedApp): App {
  return {
    ...named,
    summary: null,
    developer: null,
    icon_url: null,
    screenshots: null,
    price: null,
    currency: null,
    price_text: null,
    is_free: null,
    rating: null,
    rating_count: null,
    category: null,
    bundle_id: null,
    description_html: null,
    description_text: null,
    video_url: null,
    has_in_app_purchases: null,
    in_app_price_text: null,
    review_count: null,
    histogram: null,
    installs: null,
    installs_text: null,
    categories: null,
    content_rating: null,
    version: null,
    minimum_os: null,
    size_bytes: null,
    languages: null,
    released_at: null,
    updated_at: null,
    release_notes: null,
    privacy_url: null,
  };
}

/** The same as lists have it. */
export function toAppSummary(app: App): AppSummary {
  return AppSummary.parse(app);
}
