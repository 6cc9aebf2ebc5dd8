import { openGraph, things } from '#extract/dom/described.ts';
import { all, attributeAt, lineAt } from '#extract/dom/elements.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { countOf, duration, line } from '#extract/values/raw.ts';
import { idIn, identityOf, partialIdentity } from './entity.ts';
import { NO_TRACK_FACTS } from './music-records.ts';
import type { ArtistRef, StreamTrack } from './music-records.ts';
import { STREAM_HOME } from './site.ts';

const DESCRIBED = ['MusicRecording', 'MusicAlbum', 'MusicGroup', 'MusicPlaylist', 'PodcastSeries'] as const;

/** The name of the page's thing: as it is told to search engines, since titles carry more than the name. */
export function nameIn(page: ParsedPage): string | null {
  const [described] = things(page, ...DESCRIBED);
  return line(described?.members['name']) ?? openGraph(page, 'og:title');
}

/** The tracks of the rows that a browser has drawn, in their order; null where it drew none. */
export function rowsOf(page: ParsedPage): readonly StreamTrack[] | null {
  const rows = all(page, '[data-testid=tracklist-row]').flatMap((row) => toRow(page, row) ?? []);
  return rows.length === 0 ? null : rows;
}

const TRACK = 'a[data-testid=internal-track-link]';
const CELL = (column: number) => `[aria-colindex="${column}"]`;

function toRow(page: ParsedPage, row: number): StreamTrack | null {
  const id = idAt(page, TRACK, 'track', row);
  const name = lineAt(page, TRACK, row);
  if (id === null || name === null) return null;
  const artists = all(page, 'a[href*="/artist/"]', row).flatMap((link) => toArtist(page, link) ?? []);
  // An artist's own list has plays before the length; that of an album has the length alone.
  const last = all(page, '[role=gridcell]', row).length;
  const locale = attributeAt(page, 'html', 'lang');
  return {
    ...identityOf('track', id),
    ...NO_TRACK_FACTS,
    name,
    artists: artists.length === 0 ? null : artists,
    duration_ms: duration(lineAt(page, `${CELL(last)} [data-encore-id=text]`, row)),
    track_number: last === 3 ? (countOf(lineAt(page, `${CELL(1)} span`, row), locale)?.value ?? null) : null,
    play_count: last === 4 ? (countOf(lineAt(page, CELL(3), row), locale)?.value ?? null) : null,
  };
}

function toArtist(page: ParsedPage, link: number): ArtistRef | null {
  const name = lineAt(page, ':scope', link);
  return name === null ? null : { ...partialIdentity('artist', idAt(page, ':scope', 'artist', link)), name };
}

/** The id in the address of the first such link. */
export function idAt(
  page: ParsedPage,
  selector: string,
  kind: 'track' | 'artist' | 'episode',
  scope = 0,
): string | null {
  return idIn(URL.parse(attributeAt(page, selector, 'href', scope) ?? '', STREAM_HOME)?.href, kind);
}
