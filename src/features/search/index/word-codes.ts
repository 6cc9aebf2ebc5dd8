/** Words that are longer are in no vector, which holds none of more than 2,046 bytes. */
const LONGEST_WORD = 500;
/** Places of one word, and the last place, that a vector of PostgreSQL knows. */
const MOST_PLACES = 255;
const LAST_PLACE = 16_383;
/** Bytes of a vector; PostgreSQL takes 1,048,575. */
const MOST_BYTES = 1_000_000;

/** The words of a page for PostgreSQL, and how many there are of them. */
export type WordVector = { readonly vector: string; readonly length: number };

/**
 * The words of a title and a body in the notation of `tsvector`, which the server reads several times as fast as it parses
 * the text; of a body that is too much for one vector its beginning.
 */
export function toWordVector(title: readonly string[], body: readonly string[]): WordVector {
  const places = new Map<string, number[]>();
  let bytes = 0;

  /** Whether there is room for the word. */
  function add(word: string, place: number): boolean {
    const known = places.get(word);
    if (known === undefined) {
      if (!fitsVector(word)) return true;
      // Three bytes a unit of UTF-16 at most.
      bytes += 3 * word.length + 5;
      if (bytes > MOST_BYTES) return false;
      places.set(word, [Math.min(place, LAST_PLACE)]);
    } else if (known.length < MOST_PLACES && place < LAST_PLACE) {
      bytes += 2;
      known.push(place);
    }
    return true;
  }

  let place = 0;
  for (const word of title) add(word, (place += 1));
  const lastOfTitle = place;
  // No phrase reaches from the title into the body.
  place += 1;
  let length = 0;
  for (const word of body) {
    if (!add(word, (place += 1))) break;
    length += 1;
  }
  let vector = '';
  for (const [word, all] of places) vector += ` '${word}':${writeAll(all, lastOfTitle)}`;
  return { vector, length };
}

/** Places of the title are of weight A; those of the body have D, which is not written. */
function writeAll(places: readonly number[], lastOfTitle: number): string {
  if ((places[0] ?? 0) > lastOfTitle) return places.join(',');
  return places.map((place) => (place <= lastOfTitle ? `${place}A` : place)).join(',');
}

/** Whether a word is one of those that vectors hold. */
export function fitsVector(word: string): boolean {
  return word.length <= LONGEST_WORD / 4 || Buffer.byteLength(word) <= LONGEST_WORD;
}
