import { z } from 'zod';
import { at, line, mediaUrl, natural } from '#extract/values/raw.ts';
import { SOCIAL_WEB } from './site.ts';

export const ShownImage = z.object({
  url: z.string(),
  width: z.int().min(0).nullable(),
  height: z.int().min(0).nullable(),
  alt: z.string().nullable().describe("The site's own description of what is to be seen"),
});

export type ShownImage = z.input<typeof ShownImage>;

/** A picture of the site's data (`{uri, width, height}`) with the caption beside it; null without an address. */
export function imageOf(picture: unknown, caption: unknown): ShownImage | null {
  const url = mediaUrl(at(picture, 'uri'), SOCIAL_WEB);
  if (url === null) return null;
  return {
    url,
    width: natural(at(picture, 'width')),
    height: natural(at(picture, 'height')),
    alt: captionOf(caption),
  };
}

/** The site's description of a picture; null where it has only a sentence that says so. */
export function captionOf(raw: unknown): string | null {
  const caption = line(raw);
  return caption === 'No photo description available.' ? null : caption;
}
