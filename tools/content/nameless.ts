const LANDMARKS = /(<\/?)(?:nav|header|footer|aside|main|article|section)(?![-\w:])/gi;
const NAMES = /(\s)(?:class|id|role|itemprop|itemtype|itemscope|property|rel|aria-label)(?=\s{0,3}=)/gi;

/**
 * Returns an HTML page without names of elements and structured data: their attributes are renamed. Unless its landmarks
 * remain, elements such as `nav` and `main` become `div`. Its text and its blocks do not change.
 */
export function removeNames(html: string, { landmarks }: { readonly landmarks: boolean }): string {
  const nameless = html.replaceAll(NAMES, '$1x');
  return landmarks ? nameless : nameless.replaceAll(LANDMARKS, '$1div');
}
