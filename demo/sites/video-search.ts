import { html, type Reply } from '#demo/reply.ts';
import { json } from './site-pages.ts';

/** Words that find something, and how many videos they find. */
const FOUND: Readonly<Record<string, number>> = { windmill: 230, watermill: 3 };
const ON_A_PAGE = 20;

/** The page of results, whose data lead to the interface for more. */
export function searchPage({ searchParams }: URL): Reply {
  const words = searchParams.get('search_query') ?? '';
  const { sections, header } = resultsOf(words, 0);
  const contents = {
    twoColumnSearchResultsRenderer: { primaryContents: { sectionListRenderer: { contents: sections } } },
  };
  const data = JSON.stringify({ estimatedResults: String(FOUND[words] ?? 0), contents, header });
  return html(
    `<!doctype html><html lang="en"><title>Search</title><script>var ytInitialData = ${data};</script></html>\n`,
  );
}

/** The interface, asked with the token of a page. */
export function searchMore(body: string): Reply {
  const token = /"continuation":"([^"]+)"/.exec(body)?.[1] ?? '';
  const [words = '', from = '0'] = Buffer.from(token, 'base64').toString().split(' ');
  const { sections, header } = resultsOf(words, Number(from));
  return json({
    header,
    onResponseReceivedCommands: [{ appendContinuationItemsAction: { continuationItems: sections } }],
  });
}

function resultsOf(words: string, from: number) {
  const total = FOUND[words] ?? 0;
  const until = Math.min(total, from + ON_A_PAGE);
  const videos = Array.from({ length: until - from }, (_, at) => toVideo(words, from + at));
  const nothing = { backgroundPromoRenderer: { title: { simpleText: 'No results found' } } };
  const token = Buffer.from(`${words} ${until}`).toString('base64');
  const next = { continuationItemRenderer: { continuationEndpoint: { continuationCommand: { token } } } };
  return {
    sections: [
      { itemSectionRenderer: { contents: total === 0 ? [nothing] : videos } },
      ...(until < total ? [next] : []),
    ],
    header: { searchHeaderRenderer: { filter: { searchEndpoint: { query: words } } } },
  };
}

function toVideo(words: string, at: number) {
  const id = `mill${String(at).padStart(7, '0')}`;
  return {
    videoRenderer: {
      videoId: id,
      title: { runs: [{ text: `A ${words}, part ${at + 1}` }] },
      thumbnail: { thumbnails: [{ url: `https://i.example/vi/${id}/hq720.jpg`, width: 360, height: 202 }] },
      lengthText: { simpleText: '12:04' },
      viewCountText: { simpleText: `${1000 + at} views` },
      ownerText: { runs: [{ text: 'Harrow Mills', navigationEndpoint: { browseEndpoint: { browseId: 'UCharrow' } } }] },
    },
  };
}
