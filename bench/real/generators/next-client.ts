import type { SiteGenerator } from '../build.ts';
import { groupByFolder, getSourcePath, type Source } from '../sources.ts';

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
