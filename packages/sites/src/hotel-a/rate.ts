import { z } from 'zod';
import { unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import { RateOfUrl } from '#sites/framework/hotels/rate.ts';
import { findWith } from '#extract/json/search.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, line } from '#extract/values/raw.ts';
import { HotelAInput } from './rate-input.ts';
import { pageFor, otherPage, roomsPage } from './rate-page.ts';
import { readRooms } from './rate-rooms.ts';
import { hotelA } from './site.ts';

const record = z.object({ rate: RateOfUrl });

/** What the page loads by itself, whichever of the site's interfaces a visitor is given. */
const loadedRooms: EndpointSource<typeof HotelAInput, typeof record> = {
  name: 'loaded',
  needs: 'browser',
  captures: [{ name: 'rooms', path: /\/property\b|\/graphql\b/, type: /json/i }],
  request: pageFor,
  parse(source, input, site) {
    const wrong = otherPage(source, input, site);
    if (wrong !== null) return wrong;
    const answers = source.captures.map(({ text }) => tryParse(text));
    const grids = answers.filter((answer) => findWith(answer, 'masterRooms').length > 0);
    // Another interface tells the rooms alone.
    const rooms = grids.find((answer) => line(at(answer, 'hotelInfo', 'name')) !== null) ?? grids[0];
    return rooms === undefined ? unusable('the page loaded no rooms') : readRooms(rooms, input, { id: null });
  },
};

/** The record that hotel monitors watch. */
export const hotelARate = hotelA({
  path: '/rate',
  summary: 'The cheapest rate of a property for one stay',
  internal: true,
  input: HotelAInput,
  record,
  expected: ['rate.price', 'rate.currency', 'rate.room_name'],
  canary: {
    url: 'https://www.agoda.com/the-langham-london-hotel/hotel/london-gb.html',
    check_in: '2027-03-01',
    check_out: '2027-03-03',
  },
  sources: [roomsPage, loadedRooms],
});
