const OFFER = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\/?$/i;
/** Where the pages of dealers stand: in all countries together, Germany and the Netherlands. */
const DEALER = /^\/(?:dealerinfo|haendler|autobedrijven)(?:\/|$)/i;

/** The kind of a page by its path, in words. */
export function describeMarketPage(path: string): string {
  const [plain = ''] = path.split(/[?#]/);
  if (OFFER.test(plain)) return 'an offer';
  if (/^(?:\/[a-z]{2})?\/lst(?:\/|$)/i.test(plain)) return 'a page of results';
  if (DEALER.test(plain)) return 'the page of a dealer';
  return /^(?:\/[a-z]{2})?\/?$/i.test(plain) ? 'the home page' : 'a page of another kind';
}
