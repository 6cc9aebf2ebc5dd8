/** Levels of the filter for adult content. */
export const SAFE_LEVELS = ['off', 'moderate', 'strict'] as const;

/** Maximum ages of results. */
export const TIME_RANGES = ['day', 'week', 'month', 'year'] as const;

/** The engines whose result pages are parsed by default. */
export const ENGINES = ['duckduckgo', 'bing', 'brave', 'mojeek', 'google-news', 'bing-news'] as const;

export type EngineName = (typeof ENGINES)[number];

/** Engines whose result pages are parsed only if the caller names them. */
export const OPTIONAL_ENGINES = ['yandex', 'baidu', 'ecosia'] as const;

export type OptionalEngine = (typeof OPTIONAL_ENGINES)[number];

/** The kind of results and the maximum number of pages of each engine. */
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
