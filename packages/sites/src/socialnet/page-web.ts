import { notFound, partly } from '#sites/framework/answers.ts';
import { openGraph } from '#extract/dom/described.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { at, boolean, line, mediaUrl, text } from '#extract/values/raw.ts';
import { introducedBy } from './page-cards.ts';
import { afterCounts, countsIn, socialTexts } from './page-counts.ts';
import type { PublicPageSource } from './page-record.ts';
import { askedProfileOf, requestFor } from './profile-input.ts';
import { shownProfile } from './profile.ts';
import { absent, SOCIAL_WEB } from './site.ts';

/** The page itself: its header, its introduction, and what it tells machines. */
export const pageWeb: PublicPageSource = {
  name: 'page',
  request: (input, site) => requestFor(askedProfileOf(input, site)),
  parse(source, input, site) {
    const wanted = askedProfileOf(input, site);
    const parsed = parsePage(source.body, source.url);
    if (new URL(source.url).pathname === '/') return notFound('the site leads to its front page instead');
    const shown = shownProfile(source, parsed, wanted);
    const name =
      shown === null
        ? null
        : (line(shown.user['name']) ??
          line(shown.page['name']) ??
          openGraph(parsed, 'og:title')?.split(' | ')[0] ??
          null);
    if (shown === null || name === null) return absent(source, 'the page asked for');
    const { user, page, name: username } = shown;
    const { category, phone, email, address, followers, ...told } = introducedBy(parsed);
    const isBusiness = line(page['id']) !== null || line(page['category_name']) !== null;
    const description = openGraph(parsed, 'og:description');
    const id = line(page['id']) ?? (username === null && 'id' in wanted ? wanted.id : null);
    const record = {
      id,
      username,
      name,
      url: username === null ? `${SOCIAL_WEB}/profile.php?id=${id}` : `${SOCIAL_WEB}/${username}`,
      category: line(page['category_name']) ?? category,
      description: text(at(page, 'best_description', 'text')) ?? afterCounts(description),
      verified: boolean(user['show_verified_badge_on_profile']) ?? boolean(user['is_verified']),
      ...countsIn([description, ...socialTexts(user), followers]),
      phone: isBusiness ? phone : null,
      email: isBusiness ? email : null,
      address: isBusiness ? address : null,
      ...told,
      profile_image_url: mediaUrl(
        at(user, 'profilePicLarge', 'uri') ??
          at(user, 'profilePicMedium', 'uri') ??
          page['profile_picture_uri'] ??
          openGraph(parsed, 'og:image'),
        SOCIAL_WEB,
      ),
      cover_image_url: mediaUrl(
        at(user, 'cover_photo', 'photo', 'image', 'uri') ?? at(page, 'cover_photo', 'photo', 'image', 'uri'),
        SOCIAL_WEB,
      ),
    };
    const isBare = Object.keys(user).length === 0 && Object.keys(page).length === 0;
    return isBare ? partly({ page: record }, 'the page gave only what it tells those who share it') : { page: record };
  },
};
