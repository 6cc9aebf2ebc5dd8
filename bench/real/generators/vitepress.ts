import type { Generator } from '../build.ts';
import { documentOf, foldersOf, pathOf, type Source, START } from '../sources.ts';
import { BUILT_ORIGIN } from '../static-site.ts';

/** So many pages exist in an older version too, which names the newer as the canonical one. */
const OLDER = 20;

/** VitePress with its own theme: side bar, edit links, a sitemap, and an older version of some pages. */
export function vitepress(sources: readonly Source[]): Generator {
  const sidebar = foldersOf(sources).map(({ folder, pages }) => ({
    text: folder.toUpperCase(),
    collapsed: false,
    items: pages.map((page) => ({ text: page.title, link: `/${pathOf(page)}` })),
  }));
  const config = `export default {
  title: 'Lab',
  description: 'Pages of the lab',
  ignoreDeadLinks: true,
  sitemap: { hostname: '${BUILT_ORIGIN}' },
  themeConfig: {
    nav: [{ text: 'Home', link: '/' }, { text: 'Older', link: '/v1/' }],
    sidebar: ${JSON.stringify(sidebar)},
    editLink: { pattern: '${BUILT_ORIGIN}/edit/:path' },
    socialLinks: [{ icon: 'github', link: '${BUILT_ORIGIN}/code' }],
    footer: { message: 'Released under a licence.', copyright: 'The lab' },
  },
  transformHead: ({ page }) => [
    ['link', { rel: 'canonical', href: '${BUILT_ORIGIN}/' + page.replace(/^v1\\/(?!index)/, '').replace(/(index)?\\.md$/, (_, index) => (index ? '' : '.html')) }],
  ],
};
`;
  const pages = sources.map((source) => [`docs/${pathOf(source)}.md`, documentOf(source)]);
  const older = sources.slice(0, OLDER).map((source) => [`docs/v1/${pathOf(source)}.md`, documentOf(source)]);
  return {
    packages: ['vitepress@1.6.4'],
    files: {
      'docs/.vitepress/config.mjs': config,
      'docs/index.md': START,
      'docs/v1/index.md': `${START}\n${older.map(([path = '']) => `- [${path}](/${path.slice(5, -3)})`).join('\n')}\n`,
      ...Object.fromEntries([...pages, ...older]),
    },
    command: ['vitepress', 'build', 'docs'],
    output: 'docs/.vitepress/dist',
  };
}
