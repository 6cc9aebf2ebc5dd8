import type { SiteGenerator } from './build.ts';
import { getSourcePath, groupByFolder, type Source, START_PAGE, toMarkdownDocument } from './sources.ts';
import { BUILT_ORIGIN } from './static-site.ts';

/** A Next.js application that renders on the client alone: its pages are empty until scripts have fetched their text. */
export function buildNextClient(sources: readonly Source[]): SiteGenerator {
  const menu = groupByFolder(sources).map(({ folder, pages }) => ({
    folder,
    pages: pages.map((page) => ({ title: page.title, path: `/${getSourcePath(page)}` })),
  }));
  const texts = sources.map((source) => [
    `public/texts/${getSourcePath(source)}.json`,
    JSON.stringify({ title: source.title, body: source.body }),
  ]);
  return {
    packages: ['next@16.4.6', 'react@19.3.1', 'react-dom@19.3.1', 'react-markdown@10.1.0', 'remark-gfm@4.0.1'],
    files: {
      'next.config.mjs': "export default { output: 'export' };\n",
      'app/layout.jsx': LAYOUT,
      'app/[[...path]]/page.jsx': buildPageSource(sources.map((source) => getSourcePath(source).split('/'))),
      'app/[[...path]]/application.jsx': APPLICATION_COMPONENT,
      'app/[[...path]]/shown.jsx': SHOWN_COMPONENT,
      'public/menu.json': JSON.stringify(menu),
      ...Object.fromEntries(texts),
    },
    command: ['next', 'build'],
    output: 'out',
  };
}

const LAYOUT = `export const metadata = { title: 'Lab' };
export default function Layout({ children }) {
  return <html lang="en"><body>{children}</body></html>;
}
`;

function buildPageSource(paths: readonly (readonly string[])[]): string {
  return `import Application from './application';
export const generateStaticParams = () => ${JSON.stringify([{ path: [] }, ...paths.map((path) => ({ path }))])};
export default async function Page({ params }) {
  return <Application path={(await params).path ?? []} />;
}
`;
}

const APPLICATION_COMPONENT = `'use client';
import dynamic from 'next/dynamic';
export default dynamic(() => import('./shown'), { ssr: false, loading: () => <p>Loading…</p> });
`;

const SHOWN_COMPONENT = `'use client';
import Link from 'next/link';
import { useEffect, useState } from 'react';
import Markdown from 'react-markdown';
import remarkGfm from 'remark-gfm';

export default function Shown({ path }) {
  const [menu, setMenu] = useState([]);
  const [text, setText] = useState(null);
  useEffect(() => {
    fetch('/menu.json').then((answer) => answer.json()).then(setMenu);
    if (path.length === 0) setText({ title: 'Lab', body: 'Pages of the lab, one for each package.' });
    else fetch('/texts/' + path.join('/') + '.json').then((answer) => answer.json()).then(setText);
  }, [path.join('/')]);
  useEffect(() => {
    if (text !== null) document.title = text.title + ' | Lab';
  }, [text]);
  return (
    <div className="page">
      <header><Link href="/">Lab</Link></header>
      <aside>
        {menu.map(({ folder, pages }) => (
          <section key={folder}>
            <h2>{folder.toUpperCase()}</h2>
            <ul>{pages.map((page) => <li key={page.path}><Link href={page.path} prefetch={false}>{page.title}</Link></li>)}</ul>
          </section>
        ))}
      </aside>
      <main>{text === null ? <p>Loading…</p> : <><h1>{text.title}</h1><Markdown remarkPlugins={[remarkGfm]}>{text.body}</Markdown></>}</main>
      <footer>The lab</footer>
    </div>
  );
}
`;

/** So many pages exist in an older version too, which names the newer as the canonical one. */
const OLDER_PAGES = 20;

/** VitePress with its own theme: side bar, edit links, a sitemap, and an older version of some pages. */
export function buildVitepress(sources: readonly Source[]): SiteGenerator {
  const sidebar = groupByFolder(sources).map(({ folder, pages }) => ({
    text: folder.toUpperCase(),
    collapsed: false,
    items: pages.map((page) => ({ text: page.title, link: `/${getSourcePath(page)}` })),
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
  const pages = sources.map((source) => [`docs/${getSourcePath(source)}.md`, toMarkdownDocument(source)]);
  const older = sources
    .slice(0, OLDER_PAGES)
    .map((source) => [`docs/v1/${getSourcePath(source)}.md`, toMarkdownDocument(source)]);
  return {
    packages: ['vitepress@1.6.4'],
    files: {
      'docs/.vitepress/config.mjs': config,
      'docs/index.md': START_PAGE,
      'docs/v1/index.md': `${START_PAGE}\n${older.map(([path = '']) => `- [${path}](/${path.slice(5, -3)})`).join('\n')}\n`,
      ...Object.fromEntries([...pages, ...older]),
    },
    command: ['vitepress', 'build', 'docs'],
    output: 'docs/.vitepress/dist',
  };
}

/** Docusaurus with its classic preset: side bar of folders, bread crumbs, pager, edit links, a sitemap. */
export function buildDocusaurus(sources: readonly Source[]): SiteGenerator {
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
      'docs/index.md': `---\nslug: /\n---\n\n${START_PAGE}`,
      ...Object.fromEntries(sources.map((source) => [`docs/${getSourcePath(source)}.md`, toMarkdownDocument(source)])),
    },
    command: ['docusaurus', 'build'],
    output: 'build',
  };
}

/** Astro with Starlight: side bar of folders, a table of contents, pager, edit links, frames around code. */
export function buildStarlight(sources: readonly Source[]): SiteGenerator {
  const sidebar = groupByFolder(sources).map(({ folder, pages }) => ({
    label: folder.toUpperCase(),
    items: pages.map((page) => ({ label: page.title, link: `/${getSourcePath(page)}/` })),
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
  const pages = sources.map((source) => [
    `src/content/docs/${getSourcePath(source)}.md`,
    buildDocument(source.title, source.body),
  ]);
  return {
    packages: ['astro@7.3.5', '@astrojs/starlight@0.42.4'],
    files: {
      'astro.config.mjs': config,
      'src/content.config.ts': collections,
      'src/content/docs/index.md': buildDocument('Lab', 'Pages of the lab, one for each package.'),
      ...Object.fromEntries(pages),
    },
    command: ['astro', 'build'],
    output: 'dist',
  };
}

function buildDocument(title: string, body: string): string {
  return `---\ntitle: ${JSON.stringify(title)}\n---\n\n${body}\n`;
}
