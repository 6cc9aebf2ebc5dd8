import { hash } from 'node:crypto';
import { collapseSpace } from '#extract/values/space.ts';
import { computeDistance, type Simhash, computeSimhash } from './simhash.ts';

/** By what pages of one crawl are compared; null where a page says too little to be compared. */
export type ContentPrint = {
  /** 22 characters of base64url; equal for equal content. */
  readonly digest: string | null;
  /** Close for nearly equal content. */
  readonly simhash: Simhash | null;
};

/** Bits in which the simhashes of two versions of one text may differ; those of two texts differ in about 32. */
const MAX_RELATED_BITS = 12;

/** Whether two pages say the same, or are versions of one text. */
export function areRelated(one: ContentPrint, other: ContentPrint): boolean {
  if (one.digest !== null && one.digest === other.digest) return true;
  if (one.simhash === null || other.simhash === null) return false;
  return computeDistance(one.simhash, other.simhash) <= MAX_RELATED_BITS;
}

export type PageText = {
  readonly title: string | null;
  /** The main content of the page as text. */
  readonly text: string;
};

/** Below so many characters the title tells pages apart: shells of applications share their few words. */
const MIN_LENGTH_WITHOUT_TITLE = 200;
const DIGEST_LENGTH = 22;

/**
 * The print of a page's content. Two pages are equal when their main text is, after: Unicode composition (NFC),
 * characters that show nothing left out (soft hyphens, zero-width and direction marks, controls), and white space as
 * single spaces. Case, digits and punctuation count. Of a text below 200 characters the title counts as well; a page
 * without a letter or digit equals no other.
 */
export function computeFingerprint({ title, text }: PageText): ContentPrint {
  const normal = normalizeContent(text);
  if (!/[\p{L}\p{N}]/u.test(normal)) return { digest: null, simhash: null };
  const compared = normal.length < MIN_LENGTH_WITHOUT_TITLE ? `${normalizeContent(title ?? '')}\n${normal}` : normal;
  return { digest: hash('sha256', compared, 'base64url').slice(0, DIGEST_LENGTH), simhash: computeSimhash(normal) };
}

/** Anything but what is surely composed already and shows: Latin, Cyrillic, Chinese, Japanese, Korean, punctuation. */
const MAY_NEED_NORMALIZATION =
  /[^\t\n\r -~\xa0-\xac\xae-\u02ff\u0410-\u044f\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u3001-\u3029\u3041-\u3094\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]/;

function normalizeContent(text: string): string {
  if (!MAY_NEED_NORMALIZATION.test(text)) return collapseSpace(text);
  return collapseSpace(text.normalize('NFC').replace(/[\p{Cf}\p{Cs}]|(?!\s)\p{Cc}/gu, ''));
}
