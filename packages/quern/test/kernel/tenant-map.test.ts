import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TenantMap } from '#kernel/tenant-map.ts';

test('a full map evicts the oldest entry of the tenant with the most entries', () => {
  const map = new TenantMap<number>(4);
  map.set('few', 'a', 1);
  for (const [at, key] of ['a', 'b', 'c', 'd'].entries()) map.set('many', key, at);
  assert.equal(map.get('few', 'a'), 1);
  assert.equal(map.get('many', 'a'), undefined);
  for (const [at, key] of ['b', 'c', 'd'].entries()) map.set('few', key, at);
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].flatMap((key) => [map.get('few', key) ?? null, map.get('many', key) ?? null]),
    [null, null, null, null, 1, 2, 2, 3],
  );
});

test('setting an entry again makes it the newest of its tenant, and deleting one frees capacity', () => {
  const map = new TenantMap<string>(2);
  map.set('mill', 'a', 'first');
  map.set('mill', 'b', 'second');
  map.set('mill', 'a', 'again');
  map.set('mill', 'c', 'third');
  assert.deepEqual(
    ['a', 'b', 'c'].map((key) => map.get('mill', key)),
    ['again', undefined, 'third'],
  );
  map.delete('mill', 'a');
  map.delete('mill', 'a');
  map.set('mill', 'd', 'fourth');
  assert.deepEqual(
    ['c', 'd'].map((key) => map.get('mill', key)),
    ['third', 'fourth'],
  );
});

test('a map never exceeds its limit, for any order of sets and deletes', () => {
  const map = new TenantMap<number>(50);
  const model = new Map<string, number>();
  let seed = 7;
  const next = (most: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * most);
  };
  for (let at = 0; at < 5000; at += 1) {
    const [tenant, key] = [`t${next(next(20) + 1)}`, `k${next(30)}`];
    if (next(4) === 0) map.delete(tenant, key);
    else map.set(tenant, key, at);
    model.set(`${tenant} ${key}`, at);
    if (at % 100 !== 0) continue;
    const held = [...model.keys()].filter((name) => map.get(...split(name)) !== undefined);
    assert.ok(held.length <= 50, String(held.length));
  }
});

function split(name: string): [string, string] {
  const [tenant = '', key = ''] = name.split(' ');
  return [tenant, key];
}
