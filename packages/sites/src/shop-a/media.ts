import { attributeAt, lineAt, one } from '#extract/dom/elements.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { variableOf } from '#extract/dom/scripts.ts';
import { attributeOf } from '#extract/html/tree.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, line, list, mediaUrl } from '#extract/values/raw.ts';

export type ProductImage = {
  readonly url: string;
  readonly thumbnail_url: string | null;
  readonly variant: string | null;
};

/** The pictures of a product, the largest form of each; null where the page has no gallery that is read. */
export function productImagesOf(page: ParsedPage): readonly ProductImage[] | null {
  const gallery = list(at(variableOf(page, "'colorImages'"), 'initial')).map((image) => toImage(image, page));
  const found = gallery.filter((image) => image !== null);
  if (found.length > 0) return found;
  const main = mainImageOf(page);
  return main === null ? null : [{ url: main, thumbnail_url: null, variant: 'MAIN' }];
}

function toImage(image: unknown, page: ParsedPage): ProductImage | null {
  const url = mediaUrl(at(image, 'hiRes') ?? at(image, 'large') ?? at(image, 'thumb'), page.url);
  return url === null
    ? null
    : { url, thumbnail_url: mediaUrl(at(image, 'thumb'), page.url), variant: line(at(image, 'variant')) };
}

/** The picture that the page opens with. */
function mainImageOf(page: ParsedPage): string | null {
  const node =
    [
      one(page, '#landingImage'),
      one(page, '#imgBlkFront'),
      one(page, '#ebooksImgBlkFront'),
      one(page, '#main-image'),
    ].find((found) => found !== 0) ?? 0;
  if (node === 0) return null;
  const own = attributeOf(page.tree, node, 'data-old-hires');
  const sizes = tryParse(attributeOf(page.tree, node, 'data-a-dynamic-image') ?? '');
  const largest = isJsonObject(sizes)
    ? Object.keys(sizes).toSorted((a, b) => areaOf(sizes[b]) - areaOf(sizes[a]))[0]
    : undefined;
  return mediaUrl(line(own) ?? largest ?? attributeOf(page.tree, node, 'src'), page.url);
}

function areaOf(size: unknown): number {
  return Number(at(size, 0) ?? 0) * Number(at(size, 1) ?? 0);
}

export type Variants = {
  readonly parent: string | null;
  readonly dimensions: readonly string[] | null;
  readonly variants: readonly { readonly asin: string; readonly values: readonly string[] }[] | null;
};

/** The forms that a product comes in, from the page's own table of them. */
export function variantsOf(page: ParsedPage): Variants {
  const values = variableOf(page, 'dimensionValuesDisplayData');
  const names = list(variableOf(page, 'dimensionsDisplay'))
    .map(line)
    .filter((name) => name !== null);
  const parent = line(variableOf(page, 'parentAsin'));
  return {
    parent: parent !== null && /^[A-Z0-9]{10}$/.test(parent) ? parent : null,
    dimensions: names.length > 0 ? names : null,
    variants: isJsonObject(values)
      ? Object.entries(values).map(([asin, forms]) => ({
          asin,
          values: list(forms)
            .map(line)
            .filter((form) => form !== null),
        }))
      : null,
  };
}

export type Seller = { readonly id: string | null; readonly name: string };

/** The seller of the offer in the buy box; the text stands there several times, so the first counts. */
export function sellerOf(page: ParsedPage): Seller | null {
  const link = attributeAt(page, '#sellerProfileTriggerId', 'href');
  const name =
    lineAt(page, '#sellerProfileTriggerId') ??
    lineAt(page, '#merchantInfoFeature_feature_div .offer-display-feature-text-message') ??
    lineAt(page, '#merchantID');
  if (name === null) return null;
  return { id: link === null ? null : (URL.parse(link, page.url)?.searchParams.get('seller') ?? null), name };
}

/** Who sends the offer of the buy box: a line of its own, or one line for who sends and who sells. */
export function readShipper(page: ParsedPage): string | null {
  const text = '.offer-display-feature-text-message';
  const own = lineAt(page, `#fulfillerInfoFeature_feature_div ${text}`);
  const label = lineAt(page, '#merchantInfoFeature_feature_div .offer-display-feature-label');
  const isOne = /\S \/ \S/.test(label ?? '');
  return own ?? (isOne ? lineAt(page, `#merchantInfoFeature_feature_div ${text}`) : null);
}
