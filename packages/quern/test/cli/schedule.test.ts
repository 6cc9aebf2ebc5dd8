import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CREATE_MONITOR_TOOL } from '#features/monitors/tool-view.ts';
import { runHere } from '../support/command.ts';
import { textAt } from '../support/members.ts';
import { inTemporaryFolder } from '../support/store.ts';

const CREATE = ['monitors', 'create', 'https://mill.example/', '--extract', '{"price":"money"}'];
const SAYS = /^quern: mon_\w+ has no schedule: it runs only when triggered; --cron sets one, such as --cron @hourly/m;

test('a notice says that a monitor has no schedule, and which option sets one', async () => {
  await inTemporaryFolder(async (folder) => {
    const made = await runHere(folder, CREATE);
    assert.equal(made.code, 0, made.err);
    assert.match(made.err, SAYS);
    const id = textAt(JSON.parse(made.out), 'id');
    assert.match((await runHere(folder, [...CREATE, '--json'])).err, SAYS);
    assert.match((await runHere(folder, ['monitors', 'update', id, '--name', 'flour'])).err, SAYS);
    for (const line of [
      [...CREATE, '-q'],
      [...CREATE, '--cron', '@hourly'],
      ['monitors', 'update', id, '--cron', '0 9 * * *'],
      [...CREATE, '--no-active'],
    ]) {
      const { code, err } = await runHere(folder, line);
      assert.equal(code, 0, err);
      assert.doesNotMatch(err, /schedule/);
    }
    const stay = ['--property-id', 'gb/garden', '--check-out', '2027-03-03'];
    assert.match((await runHere(folder, ['hotel-b', 'monitors', 'create', '2027-03-01', ...stay])).err, SAYS);
    assert.match((await runHere(folder, ['hotels', 'create', '2027-03-01', ...stay])).err, SAYS);
    assert.match((await runHere(folder, ['launches', 'monitors', 'create', '--slug', 'quern'])).err, SAYS);
  });
});

test('an agent is told too that a monitor has no schedule', () => {
  const { toShown } = CREATE_MONITOR_TOOL;
  const monitor = { id: 'mon_1', cron: null, active: true };
  assert.match(String(toShown?.(monitor)['schedule']), /^none: it runs only when triggered/);
  assert.equal(toShown?.({ ...monitor, cron: '@hourly' })['schedule'], undefined);
});
