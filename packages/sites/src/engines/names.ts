/** How much is left out that not everybody wants to see. */
export const SAFE_LEVELS = ['off', 'moderate', 'strict'] as const;

/** How old results may be. */
export const TIME_RANGES = ['day', 'week', 'month', 'year'] as const;

/** The engines that are read by their pages. */
export const ENGINES = ['duckduckgo', 'bing', 'brave', 'mojeek', 'google-news', 'bing-news'] as const;

export type EngineName = (typeof ENGINES)[number];

/** Engines whose pages are read only where a caller names them. */
export const OPTIONAL_ENGINES = ['yandex', 'baidu', 'ecosia'] as const;

export type PageEngine = (typeof OPTIONAL_ENGINES)[number];

/** The list that each fills, and the pages that it has at most. */
export const ENGINE_FACTS: Readonly<
  Record<EngineName, { readonly kind: 'organic' | 'news'; readonly mostPages: number }>
> = {
  duckduckgo: { kind: 'organic', mostPages: 10 },
  bing: { kind: 'organic', mostPages: 10 },
  brave: { kind: 'organic', mostPages: 10 },
  mojeek: { kind: 'organic', mostPages: 10 },
  'google-news': { kind: 'news', mostPages: 1 },
  'bing-news': { kind: 'news', mostPages: 1 },
};
