import type { Locator, Page } from 'patchright-core';
import { MAX_PDF_BYTES, MAX_SIDE_PX, PRINTING, toClip } from '#access/browser/capture.ts';
import { sizeOf } from '#access/browser/image-size.ts';
import type { Artifact } from '#access/page.ts';
import { concat } from '#access/http/content-decoding.ts';
import { ActionFailed } from './actions.ts';

const CHUNK_BYTES = 1024 * 1024;

const SIZE = `(() => {
  const { scrollWidth, scrollHeight } = document.documentElement;
  return [Math.max(scrollWidth, innerWidth), Math.max(scrollHeight, innerHeight)];
})()`;

/** A screenshot of the window, or of the whole page from its top within the bounds of a screenshot. */
export async function shootPage(
  page: Page,
  { fullPage, timeout }: { readonly fullPage: boolean; readonly timeout: number },
): Promise<Artifact> {
  if (!fullPage) return toShot(await page.screenshot({ timeout }));
  const size: unknown = await page.evaluate(SIZE);
  const [wide, high] = Array.isArray(size) ? size.map(Number) : [];
  const { width, height } = toClip({ width: wide ?? 1, height: high ?? 1 }, MAX_SIDE_PX.png);
  return toShot(await page.screenshot({ fullPage: true, clip: { x: 0, y: 0, width, height }, timeout }));
}

/** One element, as far as it is no larger than a screenshot may be. */
export async function shootElement(locator: Locator, timeout: number): Promise<Artifact> {
  const box = await locator.boundingBox({ timeout });
  if (box !== null && toClip(box, MAX_SIDE_PX.png).isCut)
    throw new ActionFailed('the element is too large for a screenshot');
  return toShot(await locator.screenshot({ timeout }));
}

function toShot(buffer: Buffer): Artifact {
  const bytes = new Uint8Array(buffer);
  return { kind: 'screenshot', contentType: 'image/png', bytes, size: sizeOf(bytes) };
}

/** The page as a PDF, its first 200 sheets. */
export async function printPage(page: Page): Promise<Artifact> {
  const session = await page.context().newCDPSession(page);
  try {
    const { stream = '' } = await session.send('Page.printToPDF', PRINTING);
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for (let isOver = false; !isOver;) {
      const { data, eof } = await session.send('IO.read', { handle: stream, size: CHUNK_BYTES });
      const chunk = Buffer.from(data, 'base64');
      bytes += chunk.byteLength;
      if (bytes > MAX_PDF_BYTES) throw new ActionFailed('the PDF is larger than 50 MiB');
      chunks.push(chunk);
      isOver = eof;
    }
    return { kind: 'pdf', contentType: 'application/pdf', bytes: concat(chunks, bytes), size: null };
  } finally {
    await session.detach().catch(() => undefined);
  }
}
