import type { Generator } from '../build.ts';
import { documentOf, pathOf, type Source, START } from '../sources.ts';
import { BUILT_ORIGIN } from '../static-site.ts';

/** Docusaurus with its classic preset: side bar of folders, bread crumbs, pager, edit links, a sitemap. */
export function docusaurus(sources: readonly Source[]): Generator {
  const config = `export default {
  title: 'Lab',
  url: '${BUILT_ORIGIN}',
  baseUrl: '/',
  onBrokenLinks: 'ignore',
  markdown: { format: 'md', hooks: { onBrokenMarkdownLinks: 'ignore', onBrokenMarkdownImages: 'ignore' } },
  onBrokenAnchors: 'ignore',
  presets: [['classic', { blog: false, docs: { routeBasePath: '/', editUrl: '${BUILT_ORIGIN}/edit/' } }]],
  themeConfig: {
    navbar: { title: 'Lab', items: [{ href: '${BUILT_ORIGIN}/code', label: 'Code', position: 'right' }] },
    footer: { style: 'dark', links: [{ title: 'More', items: [{ label: 'Start', to: '/' }] }], copyright: 'The lab' },
  },
};
`;
  return {
    packages: ['@docusaurus/core@3.10.2', '@docusaurus/preset-classic@3.10.2', 'react@19.3.1', 'react-dom@19.3.1'],
    files: {
      'docusaurus.config.js': config,
      'docs/index.md': `---\nslug: /\n---\n\n${START}`,
      ...Object.fromEntries(sources.map((source) => [`docs/${pathOf(source)}.md`, documentOf(source)])),
    },
    command: ['docusaurus', 'build'],
    output: 'build',
  };
}
