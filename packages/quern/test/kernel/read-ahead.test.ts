import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAhead } from '#kernel/read-ahead.ts';

async function* numbers(made: number[], failsAt = Infinity): AsyncGenerator<number> {
  try {
    for (let number = 1; number <= 4; number += 1) {
      if (number === failsAt) throw new Error(`no ${number}`);
      made.push(number);
      yield number;
    }
  } finally {
    made.push(0);
  }
}

test('the next item is prepared while the last is processed, and each is returned once, in order', async () => {
  const made: number[] = [];
  const seen: string[] = [];
  for await (const number of readAhead(numbers(made))) {
    await Promise.resolve();
    seen.push(`${number} of ${made.join(' ')}`);
  }
  assert.deepEqual(seen, ['1 of 1 2', '2 of 1 2 3', '3 of 1 2 3 4', '4 of 1 2 3 4 0']);
});

test('a failure is thrown after the items before it, and only when it is requested', async () => {
  const made: number[] = [];
  const seen: number[] = [];
  await assert.rejects(async () => {
    for await (const number of readAhead(numbers(made, 3))) {
      await new Promise((resolve) => setImmediate(resolve));
      seen.push(number);
    }
  }, /no 3/);
  assert.deepEqual(seen, [1, 2]);
});

test('no work continues after an early stop or a failure', async () => {
  const made: number[] = [];
  for await (const number of readAhead(numbers(made))) if (number === 1) break;
  assert.deepEqual(made, [1, 2, 0]);
  const others: number[] = [];
  await assert.rejects(async () => {
    for await (const number of readAhead(numbers(others))) throw new Error(`not ${number}`);
  }, /not 1/);
  assert.deepEqual(others, [1, 2, 0]);
});
