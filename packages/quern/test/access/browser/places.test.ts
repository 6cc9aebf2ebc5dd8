import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBrowserPlaces } from '#access/browser/places.ts';

test('a tenant whose pages crash again and again opens one page at a time for a minute, and others open theirs', async () => {
  const { signal } = new AbortController();
  let now = 0;
  const places = openBrowserPlaces({ places: 3, clock: { monotonic: () => now } });
  const crashing = { tenant: 'crashing', weight: 1 };
  for (let n = 0; n < 2; n += 1) places.noteCrash('crashing');
  const [one, two] = [await places.take(crashing, signal), await places.take(crashing, signal)];
  one();
  two();
  places.noteCrash('crashing');
  const only = await places.take(crashing, signal);
  const late = places.take(crashing, signal);
  const other = await places.take({ tenant: 'other', weight: 1 }, signal);
  assert.deepEqual(places.counts(), { taken: 2, waiting: 1 });
  other();
  only();
  const next = await late;
  now = 60_000;
  const again = await places.take(crashing, signal);
  again();
  next();
});
