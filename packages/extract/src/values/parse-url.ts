/** Parses a URL. Null if it is malformed. `URL.parse` exists in Node from version 22 on. */
export const parseUrl: (url: string, base?: string) => URL | null =
  'parse' in URL ? (url, base) => URL.parse(url, base) : parseWithConstructor;

function parseWithConstructor(url: string, base?: string): URL | null {
  try {
    return new URL(url, base);
  } catch {
    return null;
  }
}
