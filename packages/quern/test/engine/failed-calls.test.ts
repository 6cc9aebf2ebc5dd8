import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeFailedCall } from '#engine/call/steps/trace.ts';
import { showRequest, listRequests } from '#features/account/operations.ts';
import { ServiceError } from '#kernel/errors.ts';
import { at, listAt } from '../support/members.ts';
import { withGate } from './gate.ts';

const REFUSED = new ServiceError('target_blocked', 'the target refused');

/** The stored URL of a failed call. */
function storedUrl(url: string): string | null {
  return describeFailedCall({ url }, REFUSED).url;
}

test('a failed call has its URL and message in the list and the record; a successful one has neither', async () => {
  await withGate({}, async (gate) => {
    const other = await gate.tenants.create('other', 'starter');
    await gate.fetch();
    await gate.fetch({ url: 'https://mill.example/rye?page=2&token=hunter2', output: ['paper'] });
    const rows = listAt((await gate.ask(listRequests, {})).answer?.body, 'data');
    const url = 'https://mill.example/rye?page=2&token=***';
    assert.deepEqual([at(rows[1], 'url'), at(rows[1], 'message')], [null, null]);
    assert.equal(at(rows[0], 'url'), url);
    const shown = (await gate.ask(showRequest, { request_id: 'req_0002' })).answer?.body;
    assert.equal(at(shown, 'url'), url);
    assert.match(String(at(shown, 'message')), /output/);
    assert.doesNotMatch(JSON.stringify([rows, shown]), /hunter2/);
    for (const isOperator of [true, false]) {
      const foreign = await gate.ask(showRequest, { request_id: 'req_0002' }, { as: other, isOperator });
      assert.equal(foreign.code, 'not_found');
      const list = await gate.ask(listRequests, {}, { as: other, isOperator });
      assert.deepEqual(listAt(list.answer?.body, 'data'), []);
    }
  });
});

test('an input that is not an object, or has no valid URL, is logged with its message', async () => {
  await withGate({}, async (gate) => {
    for (const url of [7, '', '\0\u{D800}', `mill.example/${'\0'.repeat(9000)}`, 'http://[', null]) {
      const { error, code } = await gate.fetch({ url, output: ['paper'] });
      assert.equal(code, 'invalid_request');
      const [row] = listAt((await gate.ask(listRequests, { limit: 1 })).answer?.body, 'data');
      assert.equal(at(row, 'message'), error?.message);
    }
  });
});

test('secrets in a URL are recognized by parameter name or value format, and masked', () => {
  for (const [given, stored] of [
    ['https://me:pw@mill.example/a', 'https://***@mill.example/a'],
    ['//me:p@w@mill.example/a', '//***@mill.example/a'],
    ['me:p@w@mill.example/a', 'me:***@mill.example/a'],
    [String.raw`http:\\me:pw@mill.example`, String.raw`http:\\***@mill.example`],
    ['https://mill.example/?page=2&q=rye+flour', 'https://mill.example/?page=2&q=rye+flour'],
    ['https://mill.example/?API_KEY=x&api-key=y&apikey=z', 'https://mill.example/?API_KEY=***&api-key=***&apikey=***'],
    ['https://mill.example/?accessToken=x&to%6Ben=y', 'https://mill.example/?accessToken=***&to%6Ben=***'],
    ['https://s3.example/a?X-Amz-Signature=x&X-Amz-Date=1', 'https://s3.example/a?X-Amz-Signature=***&X-Amz-Date=1'],
    ['https://mill.example/a;jsessionid=x?PHPSESSID=y', 'https://mill.example/a;jsessionid=***?PHPSESSID=***'],
    ['https://mill.example/cb?code=x&state=y', 'https://mill.example/cb?code=***&state=***'],
    [
      'https://mill.example/?country_code=DE&author=ada&keyword=key',
      'https://mill.example/?country_code=DE&author=ada&keyword=key',
    ],
    ['https://mill.example/#access_token=x', 'https://mill.example/#access_token=***'],
    ['https://mill.example/#/rye?token=x', 'https://mill.example/#/rye?token=***'],
    ['https://mill.example/?v=sk_live_51H8abcDEFghiJKL', 'https://mill.example/?v=***'],
    ['https://mill.example/?eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx', 'https://mill.example/?***'],
    ['https://mill.example/?id=550e8400-e29b-41d4-a716-446655440000', 'https://mill.example/?id=***'],
    [
      'https://mill.example/?q=how-to-mill-rye-in-24-small-steps',
      'https://mill.example/?q=how-to-mill-rye-in-24-small-steps',
    ],
    ['https://mill.example/?next=https%3A%2F%2Fx.example%2F%3Ftoken%3Dx', 'https://mill.example/?next=***'],
    [
      'https://mill.example/?next=https%3A%2F%2Fx.example%2Fa',
      'https://mill.example/?next=https%3A%2F%2Fx.example%2Fa',
    ],
  ] as const) {
    assert.equal(storedUrl(given), stored);
  }
});

test('the message of a failed call masks the same secrets, and both have a maximum length', () => {
  const url = 'mill.example/?token=hunter2';
  const error = new ServiceError('target_unreachable', `${url} moved to https://me:pw@mill.example/?key=x and no more`);
  assert.equal(
    describeFailedCall({ url }, error).message,
    'mill.example/?token=*** moved to https://***@mill.example/?key=*** and no more',
  );
  const long = `https://mill.example/?q=${'rye '.repeat(100_000)}&token=hunter2`;
  const stored = describeFailedCall({ url: long }, new ServiceError('invalid_request', long));
  assert.equal(stored.url, 'https://mill.example/?q=…');
  assert.equal(stored.message.length, 1000);
  assert.equal(storedUrl(`https://mill.example/${'rye/'.repeat(300)}`)?.length, 500);
  const cutInside = `https://mill.example/?q=${'r'.repeat(3970)}&token=hunter2`;
  assert.doesNotMatch(JSON.stringify(describeFailedCall({ url: cutInside }, REFUSED)), /hunt/);
  assert.deepEqual(describeFailedCall(['x'], REFUSED), { url: null, message: 'the target refused' });
});
