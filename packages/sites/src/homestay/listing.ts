import { drawnStay, plainStay } from './listing-sources.ts';
import { homestay } from './site.ts';
import { StayInput } from './stay-input.ts';
import { StayAnswer } from './stay-record.ts';

export const stay = homestay({
  path: '/listing',
  summary: 'A home that is let; with the days of a stay, what that costs',
  input: StayInput,
  record: StayAnswer,
  anyOf: ['id', 'url'],
  aliases: { check_in: ['checkin'], check_out: ['checkout'], locale: ['language'] },
  sources: [drawnStay, plainStay],
  expected: ['listing.description_text', 'listing.images', 'listing.amenities', 'listing.host', 'listing.latitude'],
  canary: { id: '20669368' },
});
