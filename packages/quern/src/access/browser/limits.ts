import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Binaries } from './binaries.ts';

/** What is missing beside a browser that works. */
export type BrowserLimit = 'light browser' | 'full browser' | 'CJK fonts';

const FONT_LIST_TIMEOUT_MS = 10_000;
const CJK_LANGUAGES = ['zh-cn', 'ja', 'ko'] as const;

/**
 * Lists what the browsers of this machine do without. Fonts are those that fontconfig lists; where `fontList`, its program, is
 * missing or fails, none are reported as missing. If `isChosen`, the operator chose the browser, and a second one is not missed.
 */
export async function listBrowserLimits(
  { shell, full }: Binaries,
  { isChosen, fontList = 'fc-list' }: { readonly isChosen: boolean; readonly fontList?: string },
): Promise<readonly BrowserLimit[]> {
  const other = shell.kind === 'full' ? 'light browser' : 'full browser';
  const hasFonts = await Promise.all(CJK_LANGUAGES.map(async (language) => hasFont(fontList, language)));
  return [
    ...(isChosen || shell.path !== full.path ? [] : ([other] as const)),
    ...(hasFonts.includes(false) ? (['CJK fonts'] as const) : []),
  ];
}

/** Whether a font has the characters of the language; null if fontconfig cannot be asked. */
async function hasFont(fontList: string, language: string): Promise<boolean | null> {
  try {
    const { stdout } = await promisify(execFile)(fontList, [`:lang=${language}`, 'family'], {
      timeout: FONT_LIST_TIMEOUT_MS,
    });
    return stdout.trim() !== '';
  } catch {
    return null;
  }
}
