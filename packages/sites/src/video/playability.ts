import { blocked, notFound, notHere } from '#sites/framework/answers.ts';
import type { SiteAnswer } from '#sites/framework/answers.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { at, line, list } from '#extract/values/raw.ts';
import type { VIDEO_AVAILABILITIES } from './video-record.ts';

export type VideoAvailability = (typeof VIDEO_AVAILABILITIES)[number];

/**
 * Why a player's answer has no video in it; null where it has one. The status alone does not tell a private video from a
 * visitor that is taken for a robot: the texts do, in the language that was asked for.
 */
export function refusalOf(player: unknown): SiteAnswer | null {
  if (at(player, 'videoDetails') !== undefined) {
    return at(player, 'videoDetails', 'isPrivate') === true ? notFound('this video is private') : null;
  }
  const status = at(player, 'playabilityStatus', 'status');
  const reason = reasonOf(player);
  if (status === 'ERROR') return notFound(reason ?? 'this video is unavailable');
  if (status === 'UNPLAYABLE') return notFound(reason ?? 'this video cannot be played');
  if (status === 'LOGIN_REQUIRED') {
    if (/\bprivate\b/i.test(reason ?? '')) return notFound('this video is private');
    if (/\bage\b|inappropriate/i.test(reason ?? '')) return notFound('this video is only for adults who are signed in');
    return blocked('login_required');
  }
  if (status !== undefined) return notFound(reason ?? 'this video is unavailable');
  // Of an id that there is not, the interface says nothing at all.
  return isJsonObject(player) && Object.keys(player).length === 0 ? notHere('the site knows no such video') : null;
}

/** The availability of a video, from a player response that has one. */
export function availabilityOf(player: unknown, country: string): VideoAvailability | null {
  const status = at(player, 'playabilityStatus', 'status');
  const reason = reasonOf(player) ?? '';
  const microformat = at(player, 'microformat', 'playerMicroformatRenderer');
  const countries = list(at(microformat, 'availableCountries'));
  if (status === 'LIVE_STREAM_OFFLINE') return 'upcoming';
  if (status === 'LOGIN_REQUIRED') return /\bbot\b/i.test(reason) ? null : 'age_restricted';
  if (status === 'UNPLAYABLE' || status === 'ERROR') {
    if (/members/i.test(reason)) return 'members_only';
    if (/payment|purchase|\brent|premium/i.test(reason)) return 'paid';
    const isElsewhere = countries.length > 0 && !countries.includes(country.toUpperCase());
    return isElsewhere || /country|region|location/i.test(reason) ? 'region_locked' : null;
  }
  const isUnlisted = at(microformat, 'isUnlisted');
  if (typeof isUnlisted !== 'boolean') return null;
  return isUnlisted ? 'unlisted' : status === 'OK' ? 'public' : null;
}

/** The message that the player shows instead of the video. */
function reasonOf(player: unknown): string | null {
  const status = at(player, 'playabilityStatus');
  const shown = at(status, 'errorScreen', 'playerErrorMessageRenderer');
  const texts = [
    line(at(status, 'reason')) ?? wording(at(shown, 'reason')),
    wording(at(shown, 'subreason')),
    line(at(status, 'messages', 0)),
  ];
  const said = [...new Set(texts.filter((one) => one !== null))].join(': ');
  return said === '' ? null : said.slice(0, 200);
}

/** A text of the site's pages: in one piece, in runs, or as content. */
export function wording(raw: unknown): string | null {
  const runs = list(at(raw, 'runs')).map((run) => at(run, 'text'));
  const joined = runs.filter((run) => typeof run === 'string').join('');
  return line(at(raw, 'simpleText')) ?? line(joined) ?? line(at(raw, 'content'));
}
