/** Lower bound of the average UTF-8 bytes of a token: about four for prose, three for punctuation and numbers. */
const BYTES_PER_TOKEN = 3;

/** An upper estimate of the tokens of a text; every tokenizer counts differently. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

/** Truncates a text to an estimated number of tokens, at a line end if there is one in the last tenth. */
export function truncateToTokens(text: string, tokens: number): string {
  if (estimateTokens(text) <= tokens) return text;
  const bytes = Buffer.from(text).subarray(0, Math.max(0, tokens) * BYTES_PER_TOKEN);
  // A character that the cut split is dropped.
  const cut = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true });
  const line = cut.lastIndexOf('\n');
  return line > cut.length * 0.9 ? cut.slice(0, line) : cut;
}
