import { normalizeName } from './near-name.ts';

/** Normalized option names of Firecrawl and Crawl4AI, and the Quern options that do the same. */
const QUERN_NAMES: Readonly<Record<string, readonly string[]>> = {
  // Firecrawl
  formats: ['output'],
  includetags: ['include_selectors'],
  excludetags: ['exclude_selectors'],
  waitfor: ['wait_for_selector', 'wait_ms'],
  mobile: ['device'],
  location: ['country'],
  timeout: ['timeout_ms'],
  maxage: ['max_age_ms'],
  limit: ['max_pages', 'max_urls', 'limit'],
  maxdiscoverydepth: ['max_depth'],
  includepaths: ['include'],
  excludepaths: ['exclude'],
  ignoresitemap: ['sitemap', 'sources'],
  crawlentiredomain: ['scope'],
  allowbackwardlinks: ['scope'],
  allowexternallinks: ['scope'],
  allowsubdomains: ['scope'],
  includesubdomains: ['scope'],
  delay: ['delay_ms'],
  scrapeoptions: ['fetch'],
  jsonoptions: ['extract'],
  jsonschema: ['extract'],
  schema: ['extract'],
  ignorerobotstxt: ['respect_robots'],
  webhookurl: ['webhook'],
  profile: ['session'],
  // Crawl4AI
  cssselector: ['include_selectors'],
  targetelements: ['include_selectors'],
  excludedtags: ['exclude_selectors'],
  excludedselector: ['exclude_selectors'],
  extractionstrategy: ['extract'],
  pagetimeout: ['timeout_ms'],
  delaybeforereturnhtml: ['wait_ms'],
  cachemode: ['max_age_ms'],
  bypasscache: ['max_age_ms'],
  scanfullpage: ['scroll'],
  checkrobotstxt: ['respect_robots'],
  proxyconfig: ['proxy'],
  jscode: ['actions'],
  urlpattern: ['include'],
  maxlength: ['max_chars'],
  sessionid: ['session'],
  storagestate: ['session'],
};

/** The Quern options (out of `known`) for an option of Firecrawl or Crawl4AI; empty if the option is unknown. */
export function findQuernNames(foreign: string, known: readonly string[]): readonly string[] {
  const name = normalizeName(foreign);
  return (Object.hasOwn(QUERN_NAMES, name) ? (QUERN_NAMES[name] ?? []) : []).filter((one) => known.includes(one));
}
