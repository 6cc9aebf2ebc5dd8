import { z } from 'zod';
import type { Artifact, RenderOptions } from '#access/page.ts';
import type { Warning } from '#kernel/warnings.ts';
import { SCALES } from './emulation.ts';
import { sizeOf } from './image-size.ts';
import { readStream } from './stream.ts';
import type { Tab } from './tab.ts';

export type Captured = { readonly artifacts: readonly Artifact[]; readonly warnings: readonly Warning[] };

/** The longest side of a screenshot; the WebP format ends one pixel earlier. */
export const MAX_SIDE_PX = { png: 16_384, jpeg: 16_384, webp: 16_383 } as const;
const MAX_PIXELS = 20_000_000;
const QUALITY = 85;
const MAX_SHEETS = 200;
export const MAX_PDF_BYTES = 50 * 1024 * 1024;
/** The parameters of `Page.printToPDF`. */
export const PRINTING = {
  printBackground: true,
  pageRanges: `1-${MAX_SHEETS}`,
  transferMode: 'ReturnAsStream',
} as const;

const Box = z.object({ width: z.number(), height: z.number() });
const Metrics = z.object({
  cssContentSize: Box,
  cssLayoutViewport: z.object({ clientWidth: z.number(), clientHeight: z.number() }),
});
const Image = z.object({ data: z.string() });
const Printed = z.object({ stream: z.string() });

/** Makes the requested files, with a warning for each that is cut. Throws `content_too_large` for a PDF beyond 50 MiB. */
export async function capture(tab: Tab, renderOptions: RenderOptions): Promise<Captured> {
  const shot =
    renderOptions.screenshot === null
      ? NONE
      : await shoot(tab, renderOptions.screenshot, 1 / SCALES[renderOptions.device]);
  const pdf = renderOptions.pdf ? await print(tab) : NONE;
  return { artifacts: [...shot.artifacts, ...pdf.artifacts], warnings: [...shot.warnings, ...pdf.warnings] };
}

const NONE: Captured = { artifacts: [], warnings: [] };

async function shoot(
  tab: Tab,
  { fullPage, format }: NonNullable<RenderOptions['screenshot']>,
  scale: number,
): Promise<Captured> {
  const { cssContentSize, cssLayoutViewport } = Metrics.parse(await tab.send('Page.getLayoutMetrics'));
  const { clientWidth, clientHeight } = cssLayoutViewport;
  const wanted = fullPage ? cssContentSize : { width: clientWidth, height: clientHeight };
  const { width, height, isCut } = toClip(wanted, MAX_SIDE_PX[format]);
  const params = {
    format,
    ...(format === 'png' ? {} : { quality: QUALITY }),
    ...(fullPage ? { captureBeyondViewport: true, clip: { x: 0, y: 0, width, height, scale } } : {}),
  };
  const { data } = Image.parse(await tab.send('Page.captureScreenshot', params));
  const message = `the page is ${wanted.width} × ${wanted.height} pixels; the screenshot shows ${width} × ${height} of it`;
  const bytes = new Uint8Array(Buffer.from(data, 'base64'));
  return {
    artifacts: [{ kind: 'screenshot', contentType: `image/${format}`, bytes, size: sizeOf(bytes) }],
    warnings: isCut ? [{ code: 'truncated', message }] : [],
  };
}

/** The part of a page, from its top left corner, that keeps within both bounds. */
export function toClip(wanted: { readonly width: number; readonly height: number }, mostSide: number) {
  const width = Math.max(1, Math.min(Math.ceil(wanted.width), mostSide));
  const height = Math.max(1, Math.min(Math.ceil(wanted.height), mostSide, Math.floor(MAX_PIXELS / width)));
  return { width, height, isCut: width < wanted.width || height < wanted.height };
}

async function print(tab: Tab): Promise<Captured> {
  const { stream } = Printed.parse(await tab.send('Page.printToPDF', PRINTING));
  const bytes = await readStream(tab, stream, { mostBytes: MAX_PDF_BYTES, what: 'the PDF' });
  const message = `the page fills more sheets than the ${MAX_SHEETS} of the PDF`;
  return {
    artifacts: [{ kind: 'pdf', contentType: 'application/pdf', bytes, size: null }],
    warnings: countSheets(bytes) >= MAX_SHEETS ? [{ code: 'truncated', message }] : [],
  };
}

/** The page objects of a PDF as Chromium writes them, outside compressed streams. */
function countSheets(pdf: Uint8Array): number {
  return (
    Buffer.from(pdf.buffer)
      .toString('latin1')
      .match(/\/Type \/Page\b(?!s)/g)?.length ?? 0
  );
}
