import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import { openSite } from '#demo/site.ts';
import { BROWSERS, browserTest } from '../support/rendered.ts';
import { runQuern } from '../support/quern.ts';
import { inTemporaryFolder } from '../support/store.ts';

browserTest('a session on the command line tells of its steps, and prints what it brought', async () => {
  const site = await openSite({ port: 0 });
  after(async () => site.close());
  await inTemporaryFolder(async (folder) => {
    const settings = { QUERN_ALLOW_TARGETS: new URL(site.origin).host, QUERN_CHROMIUM: BROWSERS?.full.path ?? 'off' };
    const url = `${site.origin}/articles/a-year-at-the-mill`;
    const file = join(folder, 'actions.json');
    const actions = [
      { type: 'evaluate', name: 'title', script: 'document.title.length > 0' },
      { type: 'click', target: '#nothing', timeout_ms: 300 },
    ];
    writeFileSync(file, JSON.stringify(actions));
    const { code, out, err } = await runQuern(
      folder,
      ['interact', url, '--proxy', 'basic', '--actions', file],
      settings,
    );
    assert.equal(code, 0, err);
    assert.match(err, /quern: 0 evaluate ok \d+ ms http/);
    assert.match(err, /quern: 1 click failed \d+ ms the target matches nothing/);
    assert.match(out, /"failed_step": 1/);
    assert.match(out, /"title": true/);
    writeFileSync(file, '{"type": "click"}');
    const refused = await runQuern(folder, ['interact', url, '--actions', file], settings);
    assert.deepEqual([refused.code, /holds no list of actions/.test(refused.err)], [2, true]);
  });
});
