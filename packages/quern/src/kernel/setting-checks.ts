import { isIP } from 'node:net';

/** Whether a text is an http or https URL without a user, a query or a fragment. */
export function isEndpoint(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') return false;
  return (url.protocol === 'http:' || url.protocol === 'https:') && url.search === '' && url.hash === '';
}

/** Whether a text is an origin, such as `https://app.example`. */
export function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

/** Whether a text is an IP address or a CIDR. */
export function isRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}
