import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPageSlots } from '#access/browser/page-slots.ts';

test('a tenant whose pages crash repeatedly opens one page at a time for a minute; others are not affected', async () => {
  const { signal } = new AbortController();
  let now = 0;
  const places = createPageSlots({ places: 3, clock: { monotonic: () => now } });
  const crashing = { tenant: 'crashing', weight: 1 };
  for (let n = 0; n < 2; n += 1) places.noteCrash('crashing');
  const [one, two] = [await places.acquire(crashing, signal), await places.acquire(crashing, signal)];
  one();
  two();
  places.noteCrash('crashing');
  const only = await places.acquire(crashing, signal);
  const late = places.acquire(crashing, signal);
  const other = await places.acquire({ tenant: 'other', weight: 1 }, signal);
  assert.deepEqual(places.getCounts(), { taken: 2, waiting: 1 });
  other();
  only();
  const next = await late;
  now = 60_000;
  const again = await places.acquire(crashing, signal);
  again();
  next();
});
