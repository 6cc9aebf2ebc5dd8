const LANDMARKS = /(<\/?)(?:nav|header|footer|aside|main|article|section)(?![-\w:])/gi;
const NAMES = /(\s)(?:class|id|role|itemprop|itemtype|itemscope|property|rel|aria-label)(?=\s{0,3}=)/gi;

/**
 * An HTML page as if its author had named nothing, neither elements nor what machines are told: names stand in attributes
 * that nobody reads, and unless its landmarks are left to it, a `div` stands for each element that says what it holds. Its
 * text and its blocks stay as they are.
 */
export function removeNames(html: string, { landmarks }: { readonly landmarks: boolean }): string {
  const nameless = html.replaceAll(NAMES, '$1x');
  return landmarks ? nameless : nameless.replaceAll(LANDMARKS, '$1div');
}
