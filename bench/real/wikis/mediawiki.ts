import { appendFileSync, chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { hasStamp, runCommand, writeStamp, writeTextFile } from '../build.ts';
import type { OpenSite } from '#bench/real/comparison.ts';
import type { Source } from '../sources.ts';
import { copyPackageFolder, unpackPackages, findPhp, startPhpServer, buildWikiSite } from './wiki-server.ts';
import { isWikiCompatible, type WikiMarkup, toWikiMarkup } from './markup.ts';

const INSTALL_TIMEOUT_MS = 300_000;
const IMPORT_TIMEOUT_MS = 900_000;
const PACKAGES = ['mediawiki', 'mediawiki-classes', 'python3-pygments'];
const EXTENSIONS = 'Cite,CategoryTree,SyntaxHighlight_GeSHi';
const START = 'Main_Page';

/** MediaWiki as Debian packages it: its own skin, edit sections, histories and special pages. */
export const openMediawiki: OpenSite = async (sources, cache) => {
  const root = unpackPackages(PACKAGES, cache);
  const php = findPhp(['mbstring', 'intl', 'xml', 'sqlite3'], cache);
  if (root === null || php === null) return null;
  const pages = sources.filter(isWikiCompatible);
  const folder = join(cache, 'mediawiki');
  const texts = pages.map((source) => [getArticleTitle(source), toWikiMarkup(source, WIKITEXT)] as const);
  const start = `The pages of the lab.\n\n${pages.map((source) => `* [[${getArticleTitle(source)}]]`).join('\n')}\n`;
  const made = JSON.stringify([texts, start, EXTENSIONS]);
  if (!hasStamp(folder, 'built', made)) {
    if (!installMediawiki(root, php, folder)) return null;
    writeTextFile(join(folder, 'pages.xml'), buildDump([...texts, ['Main Page', start]]));
    if (!runCommand([...php, 'maintenance/importDump.php', '../pages.xml'], join(folder, 'www'), IMPORT_TIMEOUT_MS))
      return null;
    writeStamp(folder, 'built', made);
  }
  const served = await startPhpServer(php, join(folder, 'www'));
  return buildWikiSite(pages, {
    served,
    start: `/index.php/${START}`,
    nameOf: getArticleTitle,
    titled: true,
    nameAt: ({ pathname, search }) => (search === '' ? (/^\/index\.php\/([^/]+)$/.exec(pathname)?.[1] ?? null) : null),
    content: 'div.mw-parser-output',
    without: ['.mw-editsection', '.toc'],
  });
};

function installMediawiki(root: string, php: readonly string[], folder: string): boolean {
  const www = join(folder, 'www');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  copyPackageFolder(root, 'usr/share/mediawiki', www);
  const wiki = ['--dbtype', 'sqlite', '--dbname', 'lab', '--dbpath', join(folder, 'database')];
  const looks = ['--scriptpath', '', '--skins', 'Vector', '--extensions', EXTENSIONS, '--pass', 'laboratory-page-42'];
  const script = [...php, 'maintenance/install.php', ...wiki, '--server', 'http://127.0.0.1', ...looks, 'Lab', 'Lab'];
  if (!runCommand(script, www, INSTALL_TIMEOUT_MS)) return false;
  const pygmentize = join(folder, 'pygmentize');
  const [modules, program] = ['usr/lib/python3/dist-packages', 'usr/bin/pygmentize'].map((path) => join(root, path));
  writeTextFile(pygmentize, `#!/bin/sh\nPYTHONPATH=${modules} exec /usr/bin/python3 ${program} "$@"\n`);
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

/** Pages in the MediaWiki export format. */
function buildDump(pages: readonly (readonly [title: string, text: string])[]): string {
  const at = new Date().toISOString().replace(/\.\d+/, '');
  const elements = pages.map(
    ([title, text]) =>
      `<page><title>${title}</title><ns>0</ns><revision><timestamp>${at}</timestamp><contributor><username>Lab</username></contributor><model>wikitext</model><format>text/x-wiki</format><text xml:space="preserve">${escapeXml(text)}</text></revision></page>`,
  );
  return `<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/" version="0.10" xml:lang="en">${elements.join('\n')}</mediawiki>`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** The name of an article, which starts with a capital letter. */
function getArticleTitle({ slug }: Source): string {
  return slug.slice(0, 1).toUpperCase() + slug.slice(1);
}

export const WIKITEXT: WikiMarkup = {
  heading: (level, text) => `${'='.repeat(level)} ${text} ${'='.repeat(level)}`,
  code: (language, code) =>
    language === ''
      ? `<pre>\n${encodeMarkup(code.trimEnd())}\n</pre>`
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
  text: encodeMarkup,
  inlineCode: (code) => `<code>${encodeMarkup(code)}</code>`,
  link: (url, text) => `[${url.replace(/[[\]]/g, encodeURIComponent)} ${text}]`,
  marks: { strong: "'''", em: "''", s: '' },
};

/** Encodes all markup characters of a text. */
function encodeMarkup(text: string): string {
  return text.replace(/[&<>[\]{}|'~_=*#:;!-]/g, (sign) => `&#${sign.codePointAt(0)};`);
}
