import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { startSite, type DemoSite } from '#demo/site.ts';
import { runHere } from '../support/command.ts';
import { at, listAt } from '../support/members.ts';
import type { Ended } from '../support/quern.ts';
import { inTemporaryFolder } from '../support/store.ts';

suite('quern explain', () => {
  let site: DemoSite;
  before(async () => {
    site = await startSite({ port: 0 });
  });
  after(async () => site.close());

  async function explain(folder: string, path: string, ...args: readonly string[]): Promise<Ended> {
    const settings = { QUERN_ALLOW_TARGETS: new URL(site.origin).host };
    return runHere(folder, ['explain', site.origin + path, ...args], settings);
  }

  test('explain prints blocks, writes a picture without scripts, and costs as much as a fetch', async () => {
    await inTemporaryFolder(async (folder) => {
      const page = '/articles/bridge-closed-on-sunday';
      const table = await explain(folder, page);
      assert.equal(table.code, 0, table.err);
      assert.match(table.out, /^fact +told_by +place +value\ntitle +h1 +h1 +\S/);
      assert.match(table.out, /\nverdict +score +words +place +text\n/);
      assert.match(table.out, /^kept +0\.\d\d +\d+ +p /m);
      assert.match(table.err, /^quern: \d+ of \d+ blocks are kept, from 0\.\d\d on\nquern: 2 credits \(http\)\n$/);
      const file = join(folder, 'why.html');
      const drawn = await explain(folder, page, '--html', file, '--json');
      assert.equal(drawn.code, 0, drawn.err);
      const markup = await readFile(file, 'utf8');
      const told: unknown = JSON.parse(drawn.out);
      assert.equal(markup.match(/<li class="block /g)?.length, listAt(told, 'blocks').length);
      assert.equal(markup.match(/<tr class="fact">/g)?.length, listAt(told, 'facts').length);
      assert.match(markup, /<td>title<\/td>\s*<td>[^<]+<\/td>\s*<td>h1 <small>[^<]* h1<\/small>/);
      assert.equal(at(told, 'outcome'), 'chosen');
      assert.doesNotMatch(markup, /<script|<img|https?:\/\/(?!127)/);
    });
  });

  test('explain rejects queued calls, pages without text and unwritable files', async () => {
    await inTemporaryFolder(async (folder) => {
      const page = '/articles/bridge-closed-on-sunday';
      const refused = [
        [await explain(folder, page, '--output', 'text'), /^quern: invalid_request: .*--output/],
        [await explain(folder, page, '--job'), /^quern: invalid_request: --job: /],
        [await explain(folder, page, '--html', join(folder, 'none', 'a.html')), /^quern: invalid_request: --html: /],
        [await explain(folder, '/feed.xml'), /^quern: unsupported_content: .* cannot be explained/],
      ] as const;
      for (const [{ code, out, err }, message] of refused) {
        assert.match(err, message);
        assert.notEqual(code, 0);
        assert.equal(out, '');
      }
    });
  });
});
