/** The host of a URL without `www.`: `www.mill.test` and `mill.test` name one site. */
export function bareHost({ hostname }: URL): string {
  return hostname.replace(/^www\./, '');
}
