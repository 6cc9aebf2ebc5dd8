import { distance } from 'fastest-levenshtein';

/** Only this many characters of a name are compared. */
const MAX_CHARS = 40;
/** Maximum share of wrong letters in a similar name. */
const MAX_TYPO_SHARE = 0.34;

/** The known name that was probably meant: a similar one, or the only one that contains the text as a word; else null. */
export function findSimilarName(unknown: string, known: readonly string[]): string | null {
  const name = normalizeName(unknown.slice(0, MAX_CHARS));
  if (name === '') return null;
  const others = known.map((one) => normalizeName(one.slice(0, MAX_CHARS)));
  const shares = others.map((other) => countTypos(name, other) / Math.max(name.length, other.length));
  const least = Math.min(...shares);
  if (least <= MAX_TYPO_SHARE) return known[shares.indexOf(least)] ?? null;
  const holding = known.filter((one) => one.split(/[-_.]/).includes(name));
  return holding.length === 1 ? (holding[0] ?? null) : null;
}

/** A name in lower case without separators, so that `onlyMainContent` equals `only_main_content`. */
export function normalizeName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_\s]/g, '');
}

/** Edit distance in which two swapped letters count as one typo. */
function countTypos(name: string, other: string): number {
  let fewest = distance(name, other);
  for (let at = 1; at < name.length; at += 1) {
    const swapped = name.slice(0, at - 1) + name.charAt(at) + name.charAt(at - 1) + name.slice(at + 1);
    fewest = Math.min(fewest, distance(swapped, other) + 1);
  }
  return fewest;
}

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
