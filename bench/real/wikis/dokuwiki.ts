import { cpSync, mkdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { hasStamp, stamp, write } from '../build.ts';
import type { Site } from '../site.ts';
import { copyUnpacked, unpackPackages } from './debian.ts';
import { fitsWiki, type Markup, toMarkup } from './markup.ts';
import { findPhp, servePhp } from './php.ts';
import { openWiki } from './wiki.ts';

const PACKAGES = ['dokuwiki', 'php-geshi', 'php-phpseclib', 'libphp-simplepie', 'php-random-compat'];
/** Debian's own settings name a folder of the system for the pages. */
const SETTINGS =
  "<?php\n$conf['title'] = 'Lab';\n$conf['savedir'] = './data';\n$conf['useheading'] = 1;\n$conf['useacl'] = 0;\n$conf['license'] = 'cc-by-sa';\n";

/** Pages of the last five days say `noindex`, since they may be spam. */
const WRITTEN = new Date('2026-01-15T12:00:00Z');

/** DokuWiki as Debian packages it: its own template, revisions, back links, a site map by name spaces. */
export const dokuwiki: Site = async (sources, cache) => {
  const root = unpackPackages(PACKAGES, cache);
  const php = findPhp(['xml', 'mbstring'], cache);
  if (root === null || php === null) return null;
  const pages = sources.filter(fitsWiki);
  const www = join(cache, 'dokuwiki/www');
  const texts = pages.map(
    (source) => [source.slug, `====== ${source.title} ======\n\n${toMarkup(source, DOKU)}`] as const,
  );
  const start = `====== Lab ======\n\nThe pages of the lab.\n\n${pages.map(({ slug }) => `  * [[${slug}]]`).join('\n')}\n`;
  const made = JSON.stringify([texts, start, SETTINGS, WRITTEN]);
  if (!hasStamp(www, 'built', made)) {
    install(root, www);
    for (const [slug, text] of [...texts, ['start', start] as const]) {
      const file = join(www, 'data/pages', `${slug}.txt`);
      write(file, text);
      utimesSync(file, WRITTEN, WRITTEN);
    }
    stamp(www, 'built', made);
  }
  const served = await servePhp([...php, '-d', `include_path=.:${join(root, 'usr/share/php')}`], www);
  return openWiki(pages, {
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

function install(root: string, www: string): void {
  copyUnpacked(root, 'usr/share/dokuwiki', www);
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
  write(join(www, 'conf/local.php'), SETTINGS);
}

const DEEPEST = 6;

const DOKU: Markup = {
  heading(level, text) {
    const marks = '='.repeat(Math.max(2, DEEPEST + 1 - level));
    return `${marks} ${text} ${marks}`;
  },
  code: (language, code) => `<code${language === '' ? '' : ` ${language}`}>\n${code.trimEnd()}\n</code>`,
  quote: (paragraphs) => paragraphs.map((text) => `> ${text}`).join('\n'),
  item: (lists, text) => `${'  '.repeat(lists.length)}${lists.at(-1) === 'ul' ? '*' : '-'} ${text}`,
  table: ([head = [], ...rows]) =>
    [`^ ${head.join(' ^ ')} ^`, ...rows.map((row) => `| ${row.map((cell) => cell || ' ').join(' | ')} |`)].join('\n'),
  rule: '----',
  lineBreak: '\\\\ ',
  text: (text) => text.replace(/[*/_'[\](){}~%\\<>^|=-]{2,}|[\^|]/g, plain),
  inlineCode: (code) => `''${plain(code)}''`,
  link: (url, text) => `[[${url}|${text.replace(/%%|''|\*\*|<\/?nowiki>/g, '')}]]`,
  marks: { strong: '**', em: '//', s: '' },
};

/** Text of which no character is markup. */
function plain(text: string): string {
  return text.includes('%') ? `<nowiki>${text}</nowiki>` : `%%${text}%%`;
}
