import { hash } from 'node:crypto';
import { collapseSpace } from '#extract/values/space.ts';
import { computeDistance, type Simhash, computeSimhash } from './simhash.ts';

/** The fingerprint by which pages of a crawl are compared. A member is null if the page has too little text for it. */
export type ContentFingerprint = {
  /** 22 characters of base64url; equal for equal content. */
  readonly digest: string | null;
  /** Close for similar content. */
  readonly simhash: Simhash | null;
};

/** The most bits by which the simhashes of two versions of a text differ; unrelated texts differ in about 32. */
const MAX_RELATED_BITS = 12;

/** Whether two pages have the same content, or versions of the same text. */
export function areRelated(one: ContentFingerprint, other: ContentFingerprint): boolean {
  if (one.digest !== null && one.digest === other.digest) return true;
  if (one.simhash === null || other.simhash === null) return false;
  return computeDistance(one.simhash, other.simhash) <= MAX_RELATED_BITS;
}

/** The text by which pages are compared. */
export type PageText = {
  readonly title: string | null;
  /** The main content of the page as text. */
  readonly text: string;
};

/** For shorter texts the title is compared too: the shells of web applications share their few words. */
const MIN_LENGTH_WITHOUT_TITLE = 200;
const DIGEST_LENGTH = 22;

/**
 * Computes the fingerprint of a page's content. Texts are compared in NFC, with single spaces and without invisible
 * characters (soft hyphens, zero-width and direction marks, controls); case, digits and punctuation count. Below 200
 * characters the title counts too. A page without a letter or digit equals no other.
 */
export function computeFingerprint({ title, text }: PageText): ContentFingerprint {
  const normal = normalizeContent(text);
  if (!/[\p{L}\p{N}]/u.test(normal)) return { digest: null, simhash: null };
  const compared = normal.length < MIN_LENGTH_WITHOUT_TITLE ? `${normalizeContent(title ?? '')}\n${normal}` : normal;
  return { digest: hash('sha256', compared, 'base64url').slice(0, DIGEST_LENGTH), simhash: computeSimhash(normal) };
}

/**
 * Any character outside the ranges that are known to be in NFC and visible: Latin, Cyrillic, Chinese, Japanese, Korean,
 * punctuation.
 */
const MAY_NEED_NORMALIZATION =
  /[^\t\n\r -~\xa0-\xac\xae-\u02ff\u0410-\u044f\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u3001-\u3029\u3041-\u3094\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]/;

function normalizeContent(text: string): string {
  if (!MAY_NEED_NORMALIZATION.test(text)) return collapseSpace(text);
  return collapseSpace(text.normalize('NFC').replace(/[\p{Cf}\p{Cs}]|(?!\s)\p{Cc}/gu, ''));
}
