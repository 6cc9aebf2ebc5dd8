import { cpSync, mkdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { hasStamp, writeStamp, writeTextFile } from '../build.ts';
import type { OpenSite } from '#bench/real/comparison.ts';
import { copyPackageFolder, unpackPackages, findPhp, startPhpServer, buildWikiSite } from './wiki-server.ts';
import { isWikiCompatible, type WikiMarkup, toWikiMarkup } from './markup.ts';

const PACKAGES = ['dokuwiki', 'php-geshi', 'php-phpseclib', 'libphp-simplepie', 'php-random-compat'];
/** Replaces Debian's settings, which use a system folder for the pages. */
const SETTINGS =
  "<?php\n$conf['title'] = 'Lab';\n$conf['savedir'] = './data';\n$conf['useheading'] = 1;\n$conf['useacl'] = 0;\n$conf['license'] = 'cc-by-sa';\n";

/** Fixed date, because DokuWiki marks pages of the last five days as `noindex`. */
const WRITTEN_AT = new Date('2026-01-15T12:00:00Z');

/** DokuWiki as Debian packages it: its own template, revisions, back links, a site map by name spaces. */
export const openDokuwiki: OpenSite = async (sources, cache) => {
  const root = unpackPackages(PACKAGES, cache);
  const php = findPhp(['xml', 'mbstring'], cache);
  if (root === null || php === null) return null;
  const pages = sources.filter(isWikiCompatible);
  const www = join(cache, 'dokuwiki/www');
  const texts = pages.map(
    (source) => [source.slug, `====== ${source.title} ======\n\n${toWikiMarkup(source, DOKU_MARKUP)}`] as const,
  );
  const start = `====== Lab ======\n\nThe pages of the lab.\n\n${pages.map(({ slug }) => `  * [[${slug}]]`).join('\n')}\n`;
  const made = JSON.stringify([texts, start, SETTINGS, WRITTEN_AT]);
  if (!hasStamp(www, 'built', made)) {
    installDokuwiki(root, www);
    for (const [slug, text] of [...texts, ['start', start] as const]) {
      const file = join(www, 'data/pages', `${slug}.txt`);
      writeTextFile(file, text);
      utimesSync(file, WRITTEN_AT, WRITTEN_AT);
    }
    writeStamp(www, 'built', made);
  }
  const served = await startPhpServer([...php, '-d', `include_path=.:${join(root, 'usr/share/php')}`], www);
  return buildWikiSite(pages, {
    served,
    start: '/doku.php?id=start',
    nameOf: ({ slug }) => slug,
    titled: false,
    nameAt: ({ pathname, searchParams }) =>
      pathname === '/doku.php' && searchParams.size === 1 ? searchParams.get('id') : null,
    content: 'div.page',
    without: ['#dw__toc', '.secedit'],
  });
};

function installDokuwiki(root: string, www: string): void {
  copyPackageFolder(root, 'usr/share/dokuwiki', www);
  // Debian's own start looks for settings and pages in folders of the system.
  rmSync(join(www, 'inc/preload.php'));
  cpSync(join(root, 'etc/dokuwiki'), join(www, 'conf'), {
    recursive: true,
    filter: (file) => !file.endsWith('.auth.php'),
  });
  cpSync(join(root, 'var/lib/dokuwiki/data'), join(www, 'data'), { recursive: true });
  rmSync(join(www, 'data/pages'), { recursive: true });
  mkdirSync(join(www, 'data/pages'));
  rmSync(join(www, 'install.php'));
  writeTextFile(join(www, 'conf/local.php'), SETTINGS);
}

const MAX_HEADING_LEVEL = 6;

const DOKU_MARKUP: WikiMarkup = {
  heading(level, text) {
    const marks = '='.repeat(Math.max(2, MAX_HEADING_LEVEL + 1 - level));
    return `${marks} ${text} ${marks}`;
  },
  code: (language, code) => `<code${language === '' ? '' : ` ${language}`}>\n${code.trimEnd()}\n</code>`,
  quote: (paragraphs) => paragraphs.map((text) => `> ${text}`).join('\n'),
  item: (lists, text) => `${'  '.repeat(lists.length)}${lists.at(-1) === 'ul' ? '*' : '-'} ${text}`,
  table: ([head = [], ...rows]) =>
    [`^ ${head.join(' ^ ')} ^`, ...rows.map((row) => `| ${row.map((cell) => cell || ' ').join(' | ')} |`)].join('\n'),
  rule: '----',
  lineBreak: '\\\\ ',
  text: (text) => text.replace(/[*/_'[\](){}~%\\<>^|=-]{2,}|[\^|]/g, escapeMarkup),
  inlineCode: (code) => `''${escapeMarkup(code)}''`,
  link: (url, text) => `[[${url}|${text.replace(/%%|''|\*\*|<\/?nowiki>/g, '')}]]`,
  marks: { strong: '**', em: '//', s: '' },
};

/** Escapes text. */
function escapeMarkup(text: string): string {
  return text.includes('%') ? `<nowiki>${text}</nowiki>` : `%%${text}%%`;
}
