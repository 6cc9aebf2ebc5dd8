import { z } from 'zod';
import type { Artifact, PageArea, RenderOptions, ScreenshotOptions } from '#access/page.ts';
import type { Warning } from '#kernel/warnings.ts';
import { DEVICE_SCALES } from './emulation.ts';
import { readStream } from './interception.ts';
import { buildAreaScript } from './scripts.ts';
import type { Tab } from './tab.ts';

export type CapturedArtifacts = { readonly artifacts: readonly Artifact[]; readonly warnings: readonly Warning[] };

/** Maximum side of a screenshot; that of WebP is one pixel smaller. */
export const MAX_SIDE_PX = { png: 16_384, jpeg: 16_384, webp: 16_383 } as const;
const MAX_PIXELS = 20_000_000;
const QUALITY = 85;
const MAX_PDF_PAGES = 200;
export const MAX_PDF_BYTES = 50 * 1024 * 1024;
/** The parameters of `Page.printToPDF`. */
export const PDF_OPTIONS = {
  printBackground: true,
  pageRanges: `1-${MAX_PDF_PAGES}`,
  transferMode: 'ReturnAsStream',
} as const;

const Box = z.object({ width: z.number(), height: z.number() });
const Metrics = z.object({
  cssContentSize: Box,
  cssLayoutViewport: z.object({ clientWidth: z.number(), clientHeight: z.number() }),
});
const Image = z.object({ data: z.string() });
const Printed = z.object({ stream: z.string() });

/**
 * Creates the requested screenshot and PDF, with a warning for each truncated one. Throws `content_too_large` for a PDF over
 * 50 MiB.
 */
export async function captureArtifacts(tab: Tab, renderOptions: RenderOptions): Promise<CapturedArtifacts> {
  const shot =
    renderOptions.screenshot === null
      ? NO_ARTIFACTS
      : await takeScreenshot(tab, renderOptions.screenshot, 1 / DEVICE_SCALES[renderOptions.device]);
  const pdf = renderOptions.pdf ? await printPdf(tab) : NO_ARTIFACTS;
  return { artifacts: [...shot.artifacts, ...pdf.artifacts], warnings: [...shot.warnings, ...pdf.warnings] };
}

const NO_ARTIFACTS: CapturedArtifacts = { artifacts: [], warnings: [] };

async function takeScreenshot(tab: Tab, options: ScreenshotOptions, scale: number): Promise<CapturedArtifacts> {
  const { fullPage, format, quality = QUALITY, selector } = options;
  const clip = selector === undefined ? options.clip : await findArea(tab, selector);
  if (clip === null) {
    const message = `screenshot.selector: no visible element matches ${selector}`;
    return { artifacts: [], warnings: [{ code: 'left_out', message }] };
  }
  const { cssContentSize, cssLayoutViewport } = Metrics.parse(await tab.send('Page.getLayoutMetrics'));
  const { clientWidth, clientHeight } = cssLayoutViewport;
  const wanted = clip ?? (fullPage ? cssContentSize : { width: clientWidth, height: clientHeight });
  const { width, height, isCut } = computeClip(wanted, MAX_SIDE_PX[format]);
  const params = {
    format,
    ...(format === 'png' ? {} : { quality }),
    ...(fullPage || clip !== undefined
      ? { captureBeyondViewport: true, clip: { x: clip?.x ?? 0, y: clip?.y ?? 0, width, height, scale } }
      : {}),
  };
  const { data } = Image.parse(await tab.send('Page.captureScreenshot', params));
  const message = `the ${clip === undefined ? 'page' : 'clip'} is ${wanted.width} × ${wanted.height} pixels; the screenshot shows ${width} × ${height} of it`;
  const bytes = new Uint8Array(Buffer.from(data, 'base64'));
  return {
    artifacts: [{ kind: 'screenshot', contentType: `image/${format}`, bytes, size: readImageSize(bytes) }],
    warnings: isCut ? [{ code: 'truncated', message }] : [],
  };
}

async function findArea(tab: Tab, selector: string): Promise<PageArea | null> {
  const { expression, result } = buildAreaScript(selector);
  return tab.evaluate(expression, result);
}

/** The part of a page, from the top left corner, that fits into the limits of side length and pixels. */
export function computeClip(wanted: { readonly width: number; readonly height: number }, mostSide: number) {
  const width = Math.max(1, Math.min(Math.ceil(wanted.width), mostSide));
  const height = Math.max(1, Math.min(Math.ceil(wanted.height), mostSide, Math.floor(MAX_PIXELS / width)));
  return { width, height, isCut: width < wanted.width || height < wanted.height };
}

async function printPdf(tab: Tab): Promise<CapturedArtifacts> {
  const { stream } = Printed.parse(await tab.send('Page.printToPDF', PDF_OPTIONS));
  const bytes = await readStream(tab, stream, { mostBytes: MAX_PDF_BYTES, what: 'the PDF' });
  const message = `the PDF contains only the first ${MAX_PDF_PAGES} pages`;
  return {
    artifacts: [{ kind: 'pdf', contentType: 'application/pdf', bytes, size: null }],
    warnings: countPdfPages(bytes) >= MAX_PDF_PAGES ? [{ code: 'truncated', message }] : [],
  };
}

/** Counts the page objects of a PDF, which Chromium writes outside of compressed streams. */
function countPdfPages(pdf: Uint8Array): number {
  return (
    Buffer.from(pdf.buffer)
      .toString('latin1')
      .match(/\/Type \/Page\b(?!s)/g)?.length ?? 0
  );
}

type ImageSize = { readonly width: number; readonly height: number };

/**
 * Reads the size in pixels of an image that a browser created; null if it is not an image. PNG: ISO/IEC 15948, 11.2.2; JPEG: ITU
 * T.81, B.2.2; WebP: RFC 9649.
 */
export function readImageSize(image: Uint8Array): ImageSize | null {
  const bytes = Buffer.from(image.buffer, image.byteOffset, image.byteLength);
  const at = (from: number, length: number): string => bytes.toString('latin1', from, from + length);
  if (bytes.length < 30) return null;
  if (at(1, 3) === 'PNG') return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  if (at(8, 4) === 'WEBP') return readWebpSize(bytes, at(12, 4));
  return bytes.readUInt16BE(0) === 0xffd8 ? readJpegSize(bytes) : null;
}

function readWebpSize(bytes: Buffer, form: string): ImageSize | null {
  if (form === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (form === 'VP8 ') return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  if (form !== 'VP8L') return null;
  const packed = bytes.readUInt32LE(21);
  return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
}

/** Reads the size from the frame header, which follows segments with a length. */
function readJpegSize(bytes: Buffer): ImageSize | null {
  for (let at = 2; at + 9 <= bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const kind = bytes.readUInt16BE(at);
    if (kind === 0xffc0 || kind === 0xffc1 || kind === 0xffc2) {
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    }
  }
  return null;
}
