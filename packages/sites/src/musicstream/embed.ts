import { jsonScript } from '#extract/dom/scripts.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { at, boolean, integer, line, list, mediaUrl } from '#extract/values/raw.ts';
import { idIn, identityOf, partialIdentity } from './entity.ts';
import { streamImages, NO_TRACK_FACTS, releaseOf } from './music-records.ts';
import type { ArtistRef, Images, StreamTrack } from './music-records.ts';
import { STREAM_HOME } from './site.ts';

/** The data of an embedded player. */
export type Embedded = {
  readonly entity: unknown;
  /** The URI of what the player was asked for; of a show the player has an episode. */
  readonly uri: string | null;
  /** The visitor's token for the site's queries. */
  readonly token: string | null;
  /** Why there is nothing to play, null where there is. */
  readonly refusal: string | null;
};

/** Reads an embedded player of either generation; null for any other page. */
export function readEmbed(page: ParsedPage): Embedded | null {
  const props = at(jsonScript(page, { id: '__NEXT_DATA__' }), 'props', 'pageProps');
  const state = at(props, 'state') ?? jsonScript(page, { id: 'initial-state' });
  const status = integer(at(props, 'status'));
  const reason = line(at(props, 'forbiddenReason'));
  const gone = status === 404 ? 'the site has no such thing' : null;
  if (state === undefined && gone === null && reason === null) return null;
  return {
    entity: at(state, 'data', 'entity'),
    uri: line(at(state, 'data', 'embeded_entity_uri')),
    token: line(at(state, 'settings', 'session', 'accessToken')),
    refusal: gone ?? (reason === null ? null : `the site does not show it: ${reason}`),
  };
}

/** Pictures of an entity of the player. */
export function embeddedImages(entity: unknown): Images {
  return streamImages(at(entity, 'visualIdentity', 'image') ?? at(entity, 'coverArt', 'sources'));
}

/** Artists of an entity; where the player has only one line of them, the one who stands there alone. */
export function embeddedArtists(entity: unknown): readonly ArtistRef[] | null {
  const named = list(at(entity, 'artists')).flatMap((one) => {
    const name = line(at(one, 'name'));
    return name === null ? [] : [{ ...partialIdentity('artist', idIn(at(one, 'uri'), 'artist')), name }];
  });
  if (named.length > 0) return named;
  const alone = line(at(entity, 'subtitle'));
  return alone === null || /[,&]/.test(alone) ? null : [{ ...partialIdentity('artist', null), name: alone }];
}

export function embeddedPreview(entity: unknown): string | null {
  return mediaUrl(at(entity, 'audioPreview', 'url'), STREAM_HOME);
}

/** A row of the player's list; null for what is no track. */
export function toEmbeddedTrack(raw: unknown): StreamTrack | null {
  const id = idIn(at(raw, 'uri'), 'track');
  const name = line(at(raw, 'title')) ?? line(at(raw, 'name'));
  if (id === null || name === null) return null;
  return {
    ...identityOf('track', id),
    ...NO_TRACK_FACTS,
    name,
    artists: embeddedArtists(raw),
    duration_ms: integer(at(raw, 'duration')),
    explicit: boolean(at(raw, 'isExplicit')),
    playable: boolean(at(raw, 'isPlayable')),
    preview_url: embeddedPreview(raw),
    release_date: releaseOf(at(raw, 'releaseDate')).date,
  };
}

/** Where the tracks of a player can be heard, by their ids. */
export function previewsOf(entity: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [entity, ...list(at(entity, 'trackList'))].flatMap((one) => {
      const id = idIn(at(one, 'uri'), 'track');
      const url = embeddedPreview(one);
      return id === null || url === null ? [] : [[id, url]];
    }),
  );
}
