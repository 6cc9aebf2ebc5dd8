import { blocked, type SiteAnswer } from '#sites/framework/answers.ts';
import { defineSite } from '#sites/framework/endpoint.ts';
import type { SourcePage } from '#sites/framework/request.ts';
import type { PathKinds } from '#sites/framework/site.ts';

/** The canonical origin of the site's pages. */
export const HOME = 'https://www.producthunt.com';

/** The code before the data in the scripts of the site's pages. */
export const DATA_MARK = '??= []).push(';

/** The kinds of the site's paths. */
export const PATH_KINDS: PathKinds = [
  [/^\/(?:products|posts|r\/p)\//, 'a product'],
  [/^\/@/, 'a profile'],
  [/^\/leaderboard(?:\/|$)/, 'a leaderboard'],
  [/^\/(?:topics|categories)\//, 'a topic'],
  [/^\/search(?:[/?]|$)/, 'a search'],
  [/^\/(?:stories|newsletters)\//, 'a story'],
  [/^\/collections\//, 'a collection'],
];

/** Documentation of the interface: https://api.producthunt.com/v2/docs */
export const productHunt = defineSite({
  name: 'launches',
  about: 'launches of new products and their makers',
  origins: { web: HOME, api: 'https://api.producthunt.com' },
  hosts: { 'producthunt.com': 'web' },
  credentials: ['token'],
  // Hashes of the queries that leaderboard pages send. The site answers no other queries without an account.
  constants: {
    daily_hash: '2430ea344975fe59526515b0e4297d0207da261c59754804825540d73d00ac72',
    weekly_hash: '2359bcf6f6653ce61d3ae0b0336ead9adb31c8b3675bfcccd17fe0c894a5c213',
    monthly_hash: 'add7d013633c07225ce8c27e9d0d30e8c877e46650a850170e5acede11d3bf2d',
    yearly_hash: '8fdb0b9699b5025e38aafd71f9602726cbbc0ba49f753ee3935ca8b69278ab06',
  },
  classify,
});

const MAX_WALL_LENGTH = 100_000;
const WALL = /<title[^>]{0,100}>\s*(?:Just a moment|Attention Required|Access denied)|cf-challenge|challenge-platform/i;

function classify({ body }: SourcePage): SiteAnswer | null {
  return body.length <= MAX_WALL_LENGTH && WALL.test(body) ? blocked('challenge') : null;
}
