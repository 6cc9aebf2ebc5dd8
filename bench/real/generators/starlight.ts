import type { Generator } from '../build.ts';
import { foldersOf, pathOf, type Source } from '../sources.ts';
import { BUILT_ORIGIN } from '../static-site.ts';

/** Astro with Starlight: side bar of folders, a table of contents, pager, edit links, frames around code. */
export function starlight(sources: readonly Source[]): Generator {
  const sidebar = foldersOf(sources).map(({ folder, pages }) => ({
    label: folder.toUpperCase(),
    items: pages.map((page) => ({ label: page.title, link: `/${pathOf(page)}/` })),
  }));
  const config = `import starlight from '@astrojs/starlight';
export default {
  site: '${BUILT_ORIGIN}',
  integrations: [
    starlight({
      title: 'Lab',
      editLink: { baseUrl: '${BUILT_ORIGIN}/edit/' },
      social: [{ icon: 'github', label: 'Code', href: '${BUILT_ORIGIN}/code' }],
      sidebar: ${JSON.stringify(sidebar)},
    }),
  ],
};
`;
  const collections = `import { defineCollection } from 'astro:content';
import { docsLoader } from '@astrojs/starlight/loaders';
import { docsSchema } from '@astrojs/starlight/schema';
export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) };
`;
  const pages = sources.map((source) => [`src/content/docs/${pathOf(source)}.md`, document(source.title, source.body)]);
  return {
    packages: ['astro@7.3.5', '@astrojs/starlight@0.42.4'],
    files: {
      'astro.config.mjs': config,
      'src/content.config.ts': collections,
      'src/content/docs/index.md': document('Lab', 'Pages of the lab, one for each package.'),
      ...Object.fromEntries(pages),
    },
    command: ['astro', 'build'],
    output: 'dist',
  };
}

function document(title: string, body: string): string {
  return `---\ntitle: ${JSON.stringify(title)}\n---\n\n${body}\n`;
}
