/** Bytes of UTF-8 that a token has at least on average: tokenizers take about four of prose, three of marks and numbers. */
const BYTES_PER_TOKEN = 3;

/** How many tokens a text has, estimated from above; every model counts in its own way. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

/** The beginning of a text that has at most so many tokens, cut between lines where one ends in its last tenth. */
export function withinTokens(text: string, tokens: number): string {
  if (estimateTokens(text) <= tokens) return text;
  const bytes = Buffer.from(text).subarray(0, Math.max(0, tokens) * BYTES_PER_TOKEN);
  // A character that the cut split is dropped.
  const cut = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true });
  const line = cut.lastIndexOf('\n');
  return line > cut.length * 0.9 ? cut.slice(0, line) : cut;
}
