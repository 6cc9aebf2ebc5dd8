import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agodaRate } from '#sites/agoda/rate.ts';
import { readSource } from '#sites/read-source.ts';
import { buildReadRequest } from '#testkit/sites/recorded-pages.ts';

const ADDRESS = 'https://www.agoda.com/harrow-mill-inn/hotel/harrow-gb.html';
const STAY = { url: ADDRESS, check_in: '2027-05-01', check_out: '2027-05-04', currency: 'GBP' };
const PAGE = `<html><head><link rel="canonical" href="${ADDRESS}"></head><script>var p = {"hotelId":660033};</script></html>`;

test('the request for rooms contains the requested currency as parameter and as header', () => {
  const verdict = readSource(buildReadRequest(agodaRate, { input: STAY, body: PAGE }));
  assert.equal(verdict.kind, 'more');
  const request = verdict.kind === 'more' ? verdict.request : null;
  assert.equal(request?.query?.['currencyCode'], 'GBP');
  assert.equal(request?.headers?.['cr-currency-code'], 'GBP');
});

test('without a requested currency, neither the parameter nor the header is sent', () => {
  const { currency: _, ...stay } = STAY;
  const verdict = readSource(buildReadRequest(agodaRate, { input: stay, body: PAGE }));
  const request = verdict.kind === 'more' ? verdict.request : null;
  assert.ok(request !== null);
  assert.equal('currencyCode' in (request.query ?? {}), false);
  assert.equal('cr-currency-code' in (request.headers ?? {}), false);
});

test('an answer in another currency is unusable, with both currencies in the reason', () => {
  const room = { occupancy: 2, currency: 'USD', inclusivePricePerNightWithoutExtraBed: { display: 177.91 } };
  const answer = {
    hotelId: 660_033,
    hotelInfo: { name: 'Harrow Mill Inn' },
    hotelSearchCriteria: { checkInDate: '2027-05-01T00:00:00', los: 3, currencyCode: 'GBP' },
    roomGridData: { isDataReady: true, masterRooms: [{ id: 91, name: 'Double', rooms: [room] }] },
  };
  const order = buildReadRequest(agodaRate, { input: STAY, body: JSON.stringify(answer) });
  assert.deepEqual(
    readSource({ ...order, page: { ...order.page, contentType: 'application/json', carry: '660033' } }),
    {
      kind: 'unusable',
      reason: 'prices in GBP were asked for, but the site returned USD',
      isRefusal: false,
    },
  );
});
