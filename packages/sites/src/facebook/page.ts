import { z } from 'zod';
import { notFound, markPartial } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import { findOpenGraph, readAttributeAt } from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { listObjectsWith } from '#extract/dom/scripts.ts';
import {
  getPath,
  toBoolean,
  toCount,
  toHomepageUrl,
  toLine,
  toArray,
  toMediaUrl,
  toText,
  toCleanUrl,
} from '#extract/values/raw.ts';
import { buildEmbedRequest, buildProfileRequest, ProfileInput, readProfileReference } from './addresses.ts';
import { findEmbeddedPage, findProfile } from './shared.ts';
import { answerMissingRecord, HOME, facebook } from './site.ts';

const Text = z.string().nullable();
const Count = z.int().min(0).nullable();

const PublicPage = z.object({
  id: Text,
  username: Text,
  name: Text,
  url: z.string(),
  category: Text,
  description: Text,
  verified: z.boolean().nullable(),
  likes: Count,
  followers: Count,
  talking_about: Count,
  were_here: Count,
  phone: Text.describe('Only of a business'),
  email: Text.describe('Only of a business'),
  website: Text,
  address: Text.describe('Only of a business'),
  price_range: Text,
  rating_percent: z.int().min(0).max(100).nullable().describe('Percentage of reviewers who recommend it'),
  review_count: Count,
  profile_image_url: Text,
  cover_image_url: Text,
  links: z.array(z.string()).readonly().nullable().describe('Accounts and pages on other sites'),
  counts_approximate: z.boolean(),
});

const PageAnswer = z.object({ page: PublicPage });

type PublicPageSource = EndpointSource<typeof ProfileInput, typeof PageAnswer>;

/** The page itself: its header, its introduction and its Open Graph data. */
const pageWeb: PublicPageSource = {
  name: 'page',
  request: (input, site) => buildProfileRequest(readProfileReference(input, site)),
  parse(source, input, site) {
    const wanted = readProfileReference(input, site);
    const parsed = parsePage(source.body, source.url);
    if (new URL(source.url).pathname === '/') return notFound('the site redirects to its front page');
    const shown = findProfile(source, parsed, wanted);
    const name =
      shown === null
        ? null
        : (toLine(shown.user['name']) ??
          toLine(shown.page['name']) ??
          findOpenGraph(parsed, 'og:title')?.split(' | ')[0] ??
          null);
    if (shown === null || name === null) return answerMissingRecord(source, 'the requested page is missing');
    const { user, page, name: username } = shown;
    const { category, phone, email, address, followers, ...introduction } = parseIntroduction(parsed);
    const isBusiness = toLine(page['id']) !== null || toLine(page['category_name']) !== null;
    const description = findOpenGraph(parsed, 'og:description');
    const id = toLine(page['id']) ?? (username === null && 'id' in wanted ? wanted.id : null);
    const record = {
      id,
      username,
      name,
      url: username === null ? `${HOME}/profile.php?id=${id}` : `${HOME}/${username}`,
      category: toLine(page['category_name']) ?? category,
      description: toText(getPath(page, 'best_description', 'text')) ?? findTextAfterCounts(description),
      verified: toBoolean(user['show_verified_badge_on_profile']) ?? toBoolean(user['is_verified']),
      ...parseCounts([description, ...listSocialTexts(user), followers]),
      phone: isBusiness ? phone : null,
      email: isBusiness ? email : null,
      address: isBusiness ? address : null,
      ...introduction,
      profile_image_url: toMediaUrl(
        getPath(user, 'profilePicLarge', 'uri') ??
          getPath(user, 'profilePicMedium', 'uri') ??
          page['profile_picture_uri'] ??
          findOpenGraph(parsed, 'og:image'),
        HOME,
      ),
      cover_image_url: toMediaUrl(
        getPath(user, 'cover_photo', 'photo', 'image', 'uri') ?? getPath(page, 'cover_photo', 'photo', 'image', 'uri'),
        HOME,
      ),
    };
    const isBare = Object.keys(user).length === 0 && Object.keys(page).length === 0;
    return isBare ? markPartial({ page: record }, 'the page had only its Open Graph data') : { page: record };
  },
};

/** The embed that other sites may show of a page; it is seldom walled. */
const pageEmbed: PublicPageSource = {
  name: 'embed',
  lacks: 'the embed has only the number, name, picture and one count of the page',
  request: (input, site) => buildEmbedRequest(readProfileReference(input, site)),
  parse(source, input, site) {
    const parsed = parsePage(source.body, source.url);
    const shown = findEmbeddedPage(parsed, readProfileReference(input, site));
    if (shown === null) return answerMissingRecord(source, 'the requested page is missing');
    const { id, username, name } = shown;
    return {
      page: {
        id,
        username,
        name,
        url: username === null ? `${HOME}/profile.php?id=${id}` : `${HOME}/${username}`,
        category: null,
        description: null,
        verified: null,
        ...parseCounts([/>\s*([\d.,]+\s?[KMB]? (?:likes?|followers?))\s*</.exec(source.body)?.[1] ?? null]),
        phone: null,
        email: null,
        website: null,
        address: null,
        price_range: null,
        rating_percent: null,
        review_count: null,
        profile_image_url: toMediaUrl(readAttributeAt(parsed, 'a[href*="ref=embed_page"] img', 'src'), HOME),
        cover_image_url: null,
        links: null,
      },
    };
  },
};

/** The page of a business, a place or a public person. */
export const facebookPage = facebook({
  path: '/page',
  summary: 'A public page by username, id or url',
  input: ProfileInput,
  anyOf: ['id', 'username', 'url'],
  record: PageAnswer,
  aliases: { username: ['handle', 'page'] },
  expected: ['page.id', 'page.name', 'page.category', 'page.likes', 'page.profile_image_url'],
  canary: { username: 'bbcnews' },
  sources: [pageWeb, pageEmbed],
});

/** One line of the introduction of a page, with its link. */
type Card = { readonly text: string; readonly link: string | null };

/** Groups the lines of the introduction by type. Null if the page has no introduction. */
function parseCards(page: ParsedPage): ReadonlyMap<string, readonly Card[]> | null {
  const items = listObjectsWith(page, 'timeline_context_list_item_type', 'renderer');
  if (items.length === 0) return null;
  const cards = new Map<string, Card[]>();
  for (const item of items) {
    const type = toLine(item['timeline_context_list_item_type'])?.replace(/^INTRO_CARD_/, '') ?? '';
    const shown = getPath(item, 'renderer', 'context_item');
    const content = toLine(getPath(shown, 'title', 'text')) ?? toLine(getPath(shown, 'plaintext_title', 'text'));
    if (content !== null) cards.set(type, [...(cards.get(type) ?? []), { text: content, link: findLink(shown) }]);
  }
  return cards;
}

function findLink(shown: unknown): string | null {
  const entity = toArray(getPath(shown, 'title', 'ranges')).map((one) => getPath(one, 'entity'));
  const [link = null] = entity.flatMap(
    (one) =>
      toCleanUrl(getPath(one, 'external_url') ?? getPath(one, 'web_link', 'url') ?? getPath(one, 'url'), HOME) ?? [],
  );
  return link;
}

/** Parses the introduction of a page. Its contacts are those that a business publishes. */
function parseIntroduction(page: ParsedPage) {
  const cards = parseCards(page);
  const of = (type: string): Card | null => cards?.get(type)?.[0] ?? null;
  const rating = of('RATING')?.text ?? '';
  const [website = null, ...others] = (cards?.get('WEBSITE') ?? []).flatMap(
    (one) => toHomepageUrl(one.link ?? one.text, HOME) ?? [],
  );
  return {
    category: of('INFLUENCER_CATEGORY')?.text.replace(/^Page · /, '') ?? null,
    phone: of('PROFILE_PHONE')?.text ?? null,
    email: of('PROFILE_EMAIL')?.text ?? null,
    website,
    address: of('ADDRESS')?.text ?? null,
    price_range: of('BUSINESS_PRICE')?.text.replace(/^.*·\s*/, '') ?? null,
    rating_percent: toCount(/(\d{1,3})% recommend/i.exec(rating)?.[1], null)?.value ?? null,
    review_count: toCount(/\(([\d.,]+) reviews?\)/i.exec(rating)?.[1], 'en-US')?.value ?? null,
    followers: of('FOLLOWERS')?.text ?? null,
    links: cards === null ? null : [...others, ...(cards.get('OTHER_ACCOUNT') ?? []).flatMap(({ link }) => link ?? [])],
  };
}

const COUNT_NAMES = ['likes', 'followers', 'talking_about', 'were_here'] as const;

const COUNT_PATTERNS: Readonly<Record<(typeof COUNT_NAMES)[number], RegExp>> = {
  likes: /([\d.,]+\s?[KMB]?) (?:likes?|people like this)\b/i,
  followers: /([\d.,]+\s?[KMB]?) (?:followers?|people follow this)\b/i,
  talking_about: /([\d.,]+\s?[KMB]?) talking about this\b/i,
  were_here: /([\d.,]+\s?[KMB]?) (?:were|was) here\b/i,
};

/** Finds each count in the texts. An exact number is preferred to an abbreviated one. */
function parseCounts(texts: readonly (string | null)[]) {
  const found = COUNT_NAMES.map((name) => {
    const counts = texts.flatMap((wording) => toCount(COUNT_PATTERNS[name].exec(wording ?? '')?.[1], 'en-US') ?? []);
    return counts.find(({ approximate }) => !approximate) ?? counts[0] ?? null;
  });
  const [likes = null, followers = null, talking = null, here = null] = found.map((one) => one?.value ?? null);
  return {
    likes,
    followers,
    talking_about: talking,
    were_here: here,
    counts_approximate: found.some((one) => one?.approximate === true),
  };
}

/** Lists the texts under the name in the header, which contain counts. */
function listSocialTexts(user: unknown): readonly (string | null)[] {
  return toArray(getPath(user, 'profile_social_context', 'content')).map((one) => toLine(getPath(one, 'text', 'text')));
}

/** Finds the text after the counts of a description, such as `Name. 216 followers · 42 were here. The text`. */
function findTextAfterCounts(description: string | null): string | null {
  const end = /(?:likes?|followers?|talking about this|(?:were|was) here)\.\s+(.+)$/s.exec(description ?? '');
  return toLine(end?.[1]);
}
