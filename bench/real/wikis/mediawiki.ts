import { appendFileSync, chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { hasStamp, run, stamp, write } from '../build.ts';
import type { Site } from '../site.ts';
import type { Source } from '../sources.ts';
import { copyUnpacked, unpackPackages } from './debian.ts';
import { fitsWiki, type Markup, toMarkup } from './markup.ts';
import { findPhp, servePhp } from './php.ts';
import { openWiki } from './wiki.ts';

const INSTALL_MS = 300_000;
const IMPORT_MS = 900_000;
const PACKAGES = ['mediawiki', 'mediawiki-classes', 'python3-pygments'];
const EXTENSIONS = 'Cite,CategoryTree,SyntaxHighlight_GeSHi';
const START = 'Main_Page';

/** MediaWiki as Debian packages it: its own skin, edit sections, histories and special pages. */
export const mediawiki: Site = async (sources, cache) => {
  const root = unpackPackages(PACKAGES, cache);
  const php = findPhp(['mbstring', 'intl', 'xml', 'sqlite3'], cache);
  if (root === null || php === null) return null;
  const pages = sources.filter(fitsWiki);
  const folder = join(cache, 'mediawiki');
  const texts = pages.map((source) => [titleOf(source), toMarkup(source, WIKITEXT)] as const);
  const start = `The pages of the lab.\n\n${pages.map((source) => `* [[${titleOf(source)}]]`).join('\n')}\n`;
  const made = JSON.stringify([texts, start, EXTENSIONS]);
  if (!hasStamp(folder, 'built', made)) {
    if (!install(root, php, folder)) return null;
    write(join(folder, 'pages.xml'), toDump([...texts, ['Main Page', start]]));
    if (!run([...php, 'maintenance/importDump.php', '../pages.xml'], join(folder, 'www'), IMPORT_MS)) return null;
    stamp(folder, 'built', made);
  }
  const served = await servePhp(php, join(folder, 'www'));
  return openWiki(pages, {
    served,
    start: `/index.php/${START}`,
    nameOf: titleOf,
    titled: true,
    nameAt: ({ pathname, search }) => (search === '' ? (/^\/index\.php\/([^/]+)$/.exec(pathname)?.[1] ?? null) : null),
    content: 'div.mw-parser-output',
    without: ['.mw-editsection', '.toc'],
  });
};

function install(root: string, php: readonly string[], folder: string): boolean {
  const www = join(folder, 'www');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  copyUnpacked(root, 'usr/share/mediawiki', www);
  const wiki = ['--dbtype', 'sqlite', '--dbname', 'lab', '--dbpath', join(folder, 'database')];
  const looks = ['--scriptpath', '', '--skins', 'Vector', '--extensions', EXTENSIONS, '--pass', 'laboratory-page-42'];
  const script = [...php, 'maintenance/install.php', ...wiki, '--server', 'http://127.0.0.1', ...looks, 'Lab', 'Lab'];
  if (!run(script, www, INSTALL_MS)) return false;
  const pygmentize = join(folder, 'pygmentize');
  const [modules, program] = ['usr/lib/python3/dist-packages', 'usr/bin/pygmentize'].map((path) => join(root, path));
  write(pygmentize, `#!/bin/sh\nPYTHONPATH=${modules} exec /usr/bin/python3 ${program} "$@"\n`);
  chmodSync(pygmentize, 0o755);
  appendFileSync(
    join(www, 'LocalSettings.php'),
    `if ( isset( $_SERVER['HTTP_HOST'] ) ) { $wgServer = 'http://' . $_SERVER['HTTP_HOST']; }
$wgPygmentizePath = '${pygmentize}';
$wgMainCacheType = CACHE_DB;
`,
  );
  return true;
}

/** Pages as one wiki gives them to another. */
function toDump(pages: readonly (readonly [title: string, text: string])[]): string {
  const at = new Date().toISOString().replace(/\.\d+/, '');
  const elements = pages.map(
    ([title, text]) =>
      `<page><title>${title}</title><ns>0</ns><revision><timestamp>${at}</timestamp><contributor><username>Lab</username></contributor><model>wikitext</model><format>text/x-wiki</format><text xml:space="preserve">${inXml(text)}</text></revision></page>`,
  );
  return `<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/" version="0.10" xml:lang="en">${elements.join('\n')}</mediawiki>`;
}

function inXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** The name of an article, which starts with a capital letter. */
function titleOf({ slug }: Source): string {
  return slug.slice(0, 1).toUpperCase() + slug.slice(1);
}

export const WIKITEXT: Markup = {
  heading: (level, text) => `${'='.repeat(level)} ${text} ${'='.repeat(level)}`,
  code: (language, code) =>
    language === ''
      ? `<pre>\n${encoded(code.trimEnd())}\n</pre>`
      : `<syntaxhighlight lang="${language}">\n${code.trimEnd()}\n</syntaxhighlight>`,
  quote: (paragraphs) => `<blockquote>\n${paragraphs.join('\n\n')}\n</blockquote>`,
  item: (lists, text) => `${lists.map((list) => (list === 'ul' ? '*' : '#')).join('')} ${text}`,
  table: ([head = [], ...rows]) =>
    [
      '{| class="wikitable"',
      `! ${head.join(' !! ')}`,
      ...rows.flatMap((row) => ['|-', `| ${row.join(' || ')}`]),
      '|}',
    ].join('\n'),
  rule: '----',
  lineBreak: '<br>',
  text: encoded,
  inlineCode: (code) => `<code>${encoded(code)}</code>`,
  link: (url, text) => `[${url.replace(/[[\]]/g, encodeURIComponent)} ${text}]`,
  marks: { strong: "'''", em: "''", s: '' },
};

/** Text of which no character is markup. */
function encoded(text: string): string {
  return text.replace(/[&<>[\]{}|'~_=*#:;!-]/g, (sign) => `&#${sign.codePointAt(0)};`);
}
