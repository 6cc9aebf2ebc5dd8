import { buildHtmlReply, type PageReply } from '#demo/layout.ts';
import { readSyntheticPage, buildJsonReply, type MockCall, type MockSite } from './site-pages.ts';

const MILLER = {
  login: 'ilse-miller',
  id: 70112,
  type: 'User',
  name: 'Ilse Harrow',
  company: 'Harrow Mill',
  blog: 'https://harrow-mill.example/',
  location: 'By the weir',
  hireable: null,
  bio: 'Grinds rye, writes about it.',
  public_repos: 12,
  public_gists: 3,
  followers: 1204,
  following: 17,
  created_at: '2013-04-02T08:15:00Z',
  updated_at: '2026-11-02T19:40:12Z',
};

/** Mock code host: users with repositories. */
export const CODEHOST_PAGES: MockSite = {
  site: 'codehost',
  origins: {
    api: ({ url, origins }) => answerApi(url, origins),
    web: ({ url }) => answerWeb(url),
  },
};

function answerApi(url: URL, origins: MockCall['origins']): PageReply | null {
  const [, kind, login = '', part] = url.pathname.split('/');
  if (kind === 'repos')
    return login === MILLER.login && part === 'rye-journal' ? answerRepo(origins) : renderNotFound();
  if (kind !== 'users') return null;
  if (login === 'spent' || login === 'spent-today') {
    const headers = { 'x-ratelimit-remaining': '0', 'retry-after': '1800' };
    return buildJsonReply({ message: 'API rate limit exceeded' }, 403, headers);
  }
  if (login === 'new-miller' && part === 'repos') return buildJsonReply([]);
  if (login !== MILLER.login) return renderNotFound();
  if (part === 'repos') return listRepos(url);
  const { web = '', api = '' } = origins;
  return buildJsonReply({
    ...MILLER,
    url: `${api}/users/${MILLER.login}`,
    html_url: `${web}/${MILLER.login}`,
    avatar_url: `${web}/avatars/${MILLER.id}.png`,
  });
}

function renderNotFound(): PageReply {
  return buildJsonReply({ message: 'Not Found' }, 404);
}

function answerRepo({ web = '' }: MockCall['origins']): PageReply {
  const { login, id, type } = MILLER;
  return buildJsonReply({
    id: 503,
    name: 'rye-journal',
    full_name: `${login}/rye-journal`,
    owner: { login, id, type, html_url: `${web}/${login}` },
    html_url: `${web}/${login}/rye-journal`,
    description: 'What was ground, and when.',
    stargazers_count: 12,
    subscribers_count: 4,
    forks_count: 1,
    default_branch: 'main',
    created_at: '2014-03-01T07:00:00Z',
  });
}

/** Three repositories on two pages, linked by a `link` header. */
function listRepos({ origin, searchParams }: URL): PageReply {
  if (searchParams.get('page') === '2') return readSyntheticPage('codehost', 'repos--second.page.json');
  const first = readSyntheticPage('codehost', 'repos--first.page.json');
  const link = `<${origin}/user/${MILLER.id}/repos?per_page=${searchParams.get('per_page') ?? '30'}&page=2>; rel="next"`;
  return { ...first, headers: { ...first.headers, link } };
}

function answerWeb(url: URL): PageReply | null {
  if (url.searchParams.get('tab') === 'repositories' && url.pathname === '/ilse-miller') {
    return readSyntheticPage('codehost', 'repos--tab.page.html');
  }
  return url.pathname === '/spent-today' ? buildHtmlReply(toProfile('spent-today')) : renderRateLimited(url);
}

/** For `spent`, the page is rate-limited too. */
function renderRateLimited({ pathname }: URL): PageReply | null {
  return pathname === '/spent'
    ? { ...buildHtmlReply('<h1>Slow down</h1>', 429), headers: { 'retry-after': '60' } }
    : null;
}

function toProfile(login: string): string {
  return `<!doctype html>
<html lang="en">
<head><title>${login}</title></head>
<body><main>
<h1><span class="p-name vcard-fullname" itemprop="name">Out of Requests</span>
<span class="p-nickname vcard-username" itemprop="additionalName">${login}</span></h1>
<div data-bio-text="Asks too often.">Asks too often.</div>
<a href="mailto:ilse@harrow-mill.example">ilse@harrow-mill.example</a>
<a href="/${login}?tab=followers"><span class="text-bold">2.4k</span> followers</a>
<a href="/${login}?tab=following"><span class="text-bold">3</span> following</a>
<nav><a href="/${login}?tab=repositories">Repositories <span title="1,024" class="Counter">1k</span></a></nav>
</main></body>
</html>
`;
}
