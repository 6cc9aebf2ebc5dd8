import { readRich } from '#extract/dom/elements.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { at, boolean, countOf, line, list, mediaUrl, moment, natural, text, url } from '#extract/values/raw.ts';
import type { Ad } from './ad-record.ts';
import { wordOf } from './listing.ts';
import { linkAt, SOCIAL_WEB } from './site.ts';

/** Of a campaign nobody needs more. */
const MOST_MEDIA = 100;

/** An advertisement of the library's data; null without its number or what it shows. */
export function toAd(raw: unknown): Ad | null {
  const id = line(at(raw, 'ad_archive_id')) ?? line(at(raw, 'adArchiveID'));
  const shown = at(raw, 'snapshot');
  if (id === null || !/^\d{5,25}$/.test(id) || !isJsonObject(shown)) return null;
  return {
    id,
    url: `${SOCIAL_WEB}/ads/library/?id=${id}`,
    page: advertiserOf(raw, shown),
    is_active: boolean(at(raw, 'is_active')),
    start_date: dayOf(at(raw, 'start_date')),
    end_date: dayOf(at(raw, 'end_date')),
    platforms: wordsOf(at(raw, 'publisher_platform')),
    display_format: wordOf(shown['display_format']),
    title: text(shown['title']),
    text:
      text(at(shown, 'body', 'text')) ??
      text(readRich(text(at(shown, 'body', 'markup', '__html')) ?? '', SOCIAL_WEB)?.text),
    link_url: url(shown['link_url'], SOCIAL_WEB),
    link_caption: line(shown['caption']),
    link_description: text(shown['link_description']),
    cta_type: wordOf(shown['cta_type']),
    cta_text: line(shown['cta_text']),
    ...mediaOf(shown),
    variants_count: natural(at(raw, 'collation_count')),
    collation_id: line(at(raw, 'collation_id')),
    currency: currencyOf(at(raw, 'currency')),
    spend_text: line(at(raw, 'spend')),
    impressions_text: line(at(raw, 'impressions_with_index', 'impressions_text')),
    reach_estimate: line(at(raw, 'reach_estimate')),
    byline: line(shown['byline']),
    disclaimer: line(shown['disclaimer_label']),
    categories: wordsOf(at(raw, 'categories')),
    countries: namesOf(at(raw, 'targeted_or_reached_countries')),
    contains_ai_media: boolean(at(raw, 'contains_digital_created_media')),
  };
}

/** The advertiser. An ad of a partnership shows the page of the partner; its data name the advertiser elsewhere. */
function advertiserOf(raw: unknown, shown: JsonObject): Ad['page'] {
  const id = line(at(raw, 'page_id')) ?? line(shown['page_id']);
  const told = [shown, shown['branded_content']].filter(isJsonObject);
  const own = told.find((one) => line(one['page_id']) === id) ?? (line(shown['page_id']) === null ? shown : {});
  const likes = countOf(own['page_like_count'], 'en-US');
  return {
    id,
    name: line(at(raw, 'page_name')) ?? line(own['page_name']),
    url: linkAt(own['page_profile_uri']),
    likes: likes?.value ?? null,
    categories: namesOf(own['page_categories']),
    profile_image_url: mediaUrl(own['page_profile_picture_url'] ?? own['page_profile_pic_url'], SOCIAL_WEB),
    verified: boolean(own['page_is_verified']) ?? boolean(at(raw, 'page_is_verified')),
  };
}

function mediaOf(shown: JsonObject): Pick<Ad, 'images' | 'videos' | 'cards'> {
  const media = (name: string): readonly unknown[] => list(shown[name]).slice(0, MOST_MEDIA);
  return {
    images: media('images').map((one) => ({
      original_url: address(one, 'original_image_url'),
      resized_url: address(one, 'resized_image_url'),
    })),
    videos: media('videos').map((one) => ({
      hd_url: address(one, 'video_hd_url'),
      sd_url: address(one, 'video_sd_url'),
      preview_url: address(one, 'video_preview_image_url'),
    })),
    cards: media('cards').map((one) => ({
      title: text(at(one, 'title')),
      text: text(at(one, 'body')) ?? text(at(one, 'body', 'text')),
      link_url: url(at(one, 'link_url'), SOCIAL_WEB),
      cta_type: wordOf(at(one, 'cta_type')),
      image_url: address(one, 'original_image_url') ?? address(one, 'resized_image_url'),
      video_hd_url: address(one, 'video_hd_url'),
      video_sd_url: address(one, 'video_sd_url'),
    })),
  };
}

function address(one: unknown, name: string): string | null {
  return mediaUrl(at(one, name), SOCIAL_WEB);
}

/** The library writes a day as the second at which it begins there. */
function dayOf(raw: unknown): string | null {
  return moment(raw)?.slice(0, 10) ?? null;
}

function wordsOf(raw: unknown): readonly string[] | null {
  return Array.isArray(raw) ? raw.flatMap((one) => wordOf(one) ?? []).filter((word) => word !== 'unknown') : null;
}

function namesOf(raw: unknown): readonly string[] | null {
  return Array.isArray(raw) ? raw.flatMap((one) => line(one) ?? []) : null;
}

/** Empty where the library does not tell what was spent. */
function currencyOf(raw: unknown): string | null {
  const code = line(raw);
  return code !== null && /^[A-Z]{3}$/.test(code) ? code : null;
}
