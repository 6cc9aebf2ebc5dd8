import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Quern } from '#clients/typescript/src/index.ts';
import { BROWSERS, browserTest } from '#support/rendered.ts';
import { ROOT } from '#support/copy.ts';
import { KEY, runToEnd } from '#support/quern.ts';
import { inTemporaryFolder } from '#support/store.ts';
import { startClientWorld } from './world.ts';

const PNG = '89504e470d0a1a0a';

/** Fetches a page with its screenshot, and saves the screenshot. */
const SCRIPT = `import os, sys
from quern import Quern
quern = Quern(base_url=os.environ["QUERN_URL"], api_key=os.environ["QUERN_API_KEY"])
page = quern.fetch(sys.argv[1], output=["screenshot"])
file = quern.download(page.screenshot)
print(file.content_type)
file.save(sys.argv[2])
`;

browserTest('a screenshot is downloaded by either client', async () => {
  await inTemporaryFolder(async (folder) => {
    await using world = await startClientWorld(folder, { QUERN_CHROMIUM: BROWSERS?.full.path ?? '' });
    const quern = new Quern({ baseUrl: world.front.origin, apiKey: KEY });
    const { screenshot } = await quern.fetch({ url: `${world.site}/shop/whole-rye-flour`, output: ['screenshot'] });
    assert.ok(screenshot !== undefined && screenshot !== null);
    const file = await quern.download(screenshot);
    assert.equal(file.contentType, 'image/png');
    const bytes = await file.bytes();
    assert.equal(bytes.length, screenshot.bytes);
    assert.equal(Buffer.from(bytes.subarray(0, 8)).toString('hex'), PNG);
    const saved = join(folder, 'page.png');
    const { code, out, err } = await runToEnd('python3', ['-c', SCRIPT, `${world.site}/shop/whole-rye-flour`, saved], {
      cwd: join(ROOT, 'clients/python'),
      settings: { PYTHONDONTWRITEBYTECODE: '1', QUERN_URL: world.front.origin, QUERN_API_KEY: KEY },
    });
    assert.equal(code, 0, err);
    assert.equal(out.trim(), 'image/png');
    assert.equal((await readFile(saved)).subarray(0, 8).toString('hex'), PNG);
  });
});
