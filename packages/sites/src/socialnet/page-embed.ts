import { attributeAt } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { mediaUrl } from '#extract/values/raw.ts';
import { embeddedPage } from './embed.ts';
import { countsIn } from './page-counts.ts';
import type { PublicPageSource } from './page-record.ts';
import { embedFor, askedProfileOf } from './profile-input.ts';
import { absent, SOCIAL_WEB } from './site.ts';

/** The embed that other sites may show of a page; it is seldom walled. */
export const pageEmbed: PublicPageSource = {
  name: 'embed',
  lacks: 'the embed of a page gives its number, name, picture and one count alone',
  request: (input, site) => embedFor(askedProfileOf(input, site)),
  parse(source, input, site) {
    const parsed = parsePage(source.body, source.url);
    const shown = embeddedPage(parsed, askedProfileOf(input, site));
    if (shown === null) return absent(source, 'the page asked for');
    const { id, username, name } = shown;
    return {
      page: {
        id,
        username,
        name,
        url: username === null ? `${SOCIAL_WEB}/profile.php?id=${id}` : `${SOCIAL_WEB}/${username}`,
        category: null,
        description: null,
        verified: null,
        ...countsIn([/>\s*([\d.,]+\s?[KMB]? (?:likes?|followers?))\s*</.exec(source.body)?.[1] ?? null]),
        phone: null,
        email: null,
        website: null,
        address: null,
        price_range: null,
        rating_percent: null,
        review_count: null,
        profile_image_url: mediaUrl(attributeAt(parsed, 'a[href*="ref=embed_page"] img', 'src'), SOCIAL_WEB),
        cover_image_url: null,
        links: null,
      },
    };
  },
};
