import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import { startSite } from '#demo/site.ts';
import { runHere } from '../support/command.ts';
import { type Line, openScriptedModel } from '../support/model.ts';
import { BROWSERS, browserTest } from '../support/rendered.ts';
import { inTemporaryFolder } from '../support/store.ts';

const PATIENCE_MS = 120_000;

const call = (name: string, input: unknown): Line => ({ calls: [{ name, input }] });

browserTest('a session on the command line reports its steps, and prints its results', async () => {
  const site = await startSite({ port: 0 });
  after(async () => site.close());
  await inTemporaryFolder(async (folder) => {
    const settings = { QUERN_ALLOW_TARGETS: new URL(site.origin).host, QUERN_CHROMIUM: BROWSERS?.full.path ?? 'off' };
    const url = `${site.origin}/shop/order`;
    const file = join(folder, 'actions.json');
    const actions = [
      { type: 'evaluate', name: 'title', script: 'document.title.length > 0' },
      { type: 'click', target: '#nothing', timeout_ms: 300 },
    ];
    writeFileSync(file, JSON.stringify(actions));
    const { code, out, err } = await runHere(
      folder,
      ['interact', url, '--proxy', 'basic', '--actions', file],
      settings,
    );
    assert.equal(code, 1, err);
    assert.match(err, /quern: 0 evaluate ok \d+ ms http/);
    assert.match(err, /quern: 1 click failed \d+ ms the target matches nothing/);
    assert.match(out, /"failed_step": 1/);
    assert.match(out, /"title": true/);
    writeFileSync(file, '{"type": "click"}');
    const refused = await runHere(folder, ['interact', url, '--actions', file], settings);
    assert.deepEqual([refused.code, /does not contain a list of actions/.test(refused.err)], [2, true]);

    const shown = Promise.withResolvers<void>();
    const late = AbortSignal.timeout(PATIENCE_MS);
    late.addEventListener('abort', () =>
      shown.reject(new Error('the first step was not shown while others were done')),
    );
    await using model = await openScriptedModel(async (_, at) => {
      if (at === 0) return call('wait', { ms: 10 });
      if (at === 1) return call('scroll', { to: 'end' });
      // The steps are shown before the model reports the outcome.
      await shown.promise;
      return call('finish', { success: true, result: 'Rye costs 4.90.', data: { price: '4.90' } });
    });
    const asks = ['interact', url, '--prompt', 'What does rye cost?', '--extract', '{"price": "string"}'];
    const withModel = { ...settings, QUERN_MODEL_URL: model.url, QUERN_MODEL: 'miller-1' };
    const prompted = await runHere(folder, asks, withModel, (line) => {
      if (line.includes('quern: 0 wait ok')) shown.resolve();
    });
    assert.equal(prompted.code, 0, prompted.err);
    assert.match(prompted.err, /quern: 0 wait ok \d+ ms http.*\n(?:.*\n)*quern: 1 scroll ok/);
    assert.match(prompted.out, /"result": "Rye costs 4\.90\."/);
    assert.match(prompted.out, /"price": "4\.90"/);
    assert.equal(model.asked.length, 3);
  });
});
