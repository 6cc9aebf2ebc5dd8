import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HourSetup, Walkthrough } from './walk.ts';
import { linkQuern, createShell } from './shell.ts';

/** A terminal user: first without a service, then with one. */
export async function runTerminalUser(walk: Walkthrough, { folder, site, allow, sitesFile }: HourSetup): Promise<void> {
  const settings = { QUERN_ALLOW_TARGETS: allow, QUERN_SITES_FILE: sitesFile, QUERN_PORT: '0', QUERN_CHROMIUM: 'off' };
  const shell = createShell(walk, { folder: join(folder, 'terminal'), settings });
  linkQuern(shell.folder);
  const rye = `${site}/shop/whole-rye-flour`;
  try {
    await shell.type('what there is', 'npx quern help', { shows: /^ *crawl +Retrieve many pages/m });
    await shell.type('one command', 'npx quern help crawl', { shows: /--max-pages[^]*quern crawl/ });
    await shell.type('a page, without a service', `npx quern fetch ${site}/articles/a-year-at-the-mill`, {
      shows: /# A year at the mill/i,
    });
    await shell.type(
      'two fields of a page',
      `npx quern fetch ${rye} --output json --extract '{"name": "string", "price": "money"}'`,
      {
        shows: /"amount":\s*4\.9/,
      },
    );
    await shell.type('the name that another tool has for it', `npx quern fetch ${rye} --formats markdown`, {
      shows: /--output/,
      code: 2,
    });
    await shell.type('the URLs of a shop', `npx quern map ${site}/shop --walk --max-depth 1`, { shows: /spelt-flour/ });
    await shell.type(
      'five pages as Markdown files',
      `npx quern crawl ${site}/ --max-pages 5 --out pages && find pages -name '*.md'`,
      { shows: /\.md\n/ },
    );
    await shell.type('a record of a known site', 'npx quern codehost user --username ilse-miller', {
      shows: /Ilse Harrow/,
    });
    const says = /Quern listens on (http:\S+)[^]*first key +(qk_\w+)/;
    const { found } = await shell.keep('a service', 'npx quern serve', says);
    const [origin = '', key = ''] = found;
    writeFileSync(join(shell.folder, 'key.txt'), `${key}\n`, { mode: 0o600 });
    await shell.type('commands go there', `npx quern login ${origin} < key.txt`, { shows: /commands go to/ });
    await shell.type('where that is', 'npx quern status', { shows: /plan +unlimited/ });
    await shell.type('a price, tried', `npx quern monitors create ${rye} --extract '{"price": "money"}' --try`, {
      shows: /4\.9/,
    });
    await shell.type(
      'a price, watched',
      `npx quern monitors create ${rye} --extract '{"price": "money"}' --cron '0 * * * *'`,
      { shows: /mon_/ },
    );
    await shell.type('work as a job', `npx quern fetch ${site}/articles/measuring-a-grind --job`, { shows: /#/ });
    await shell.type('what was done', 'npx quern jobs list', { shows: /job_/ });
    await shell.type(
      'the same by curl',
      `curl -s ${origin}/v1/fetch -H "Authorization: Bearer $(cat key.txt)" -H 'Content-Type: application/json' -d '{"url": "${rye}"}'`,
      { shows: /"markdown":/ },
    );
    await shell.type('what it cost', 'npx quern usage', { shows: /credits_used/ });
  } finally {
    await shell.close();
  }
}
