import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildOwnIndexBackend } from '#features/search/backend/own-index.ts';
import type { IndexedPage } from '#features/search/index/put-pages.ts';
import { onEveryStore } from '#support/store.ts';
import { addPages, ANY_TIME, findUrls, buildIndexedPage, withIndex } from './search-index.ts';

const PAGES = [
  buildIndexedPage('mill.example/sails', {
    title: 'Sails of a windmill',
    body: 'Canvas is spread over the lattice of each sail. The millstones lie below.',
  }),
  buildIndexedPage('mill.example/stones', {
    title: 'Millstones',
    body: 'The runner stone turns above the bed stone. No sail here.',
  }),
  buildIndexedPage('mill.example/caf', { title: 'Café crème', body: 'Über den Müller und seine Söhne.' }),
  buildIndexedPage('mill.example/tokyo', {
    title: '東京の風車',
    body: '風車は東京の近くにあります。全文検索は日本語でも動きます。',
  }),
];

onEveryStore('pages are found by their words, and words in titles rank first', async (kind) => {
  await withIndex(kind, async (index) => {
    await addPages(index, { tenant: 'ten_1', pages: PAGES });
    assert.deepEqual(await findUrls(index, 'stone'), ['mill.example/stones']);
    assert.deepEqual(await findUrls(index, 'sails'), ['mill.example/sails']);
    assert.deepEqual(await findUrls(index, 'millstones'), ['mill.example/stones', 'mill.example/sails']);
    assert.deepEqual(await findUrls(index, 'anvil'), []);
  });
});

onEveryStore(
  'pages with some of the words are added if those with all words do not fill a result page',
  async (kind) => {
    await withIndex(kind, async (index) => {
      const pages = Array.from({ length: 60 }, (_none, at) =>
        buildIndexedPage(`mill.example/${at}`, {
          title: `Mill ${at}`,
          body: at < 45 ? 'Rye is ground into flour.' : 'Rye is sown in autumn.',
          source: `job:${at}`,
        }),
      );
      await addPages(index, { tenant: 'ten_1', pages });
      const both = await index.find({ tenant: 'ten_1', query: 'rye flour' }, ANY_TIME);
      assert.deepEqual([both.ids.length, both.isWhole], [60, true]);
      assert.equal((await index.find({ tenant: 'ten_1', query: '"ground into"' }, ANY_TIME)).ids.length, 45);
      let gone = 0;
      const there = async (sources: readonly string[]): Promise<ReadonlySet<string>> =>
        new Set(sources.filter((source) => Number(source.replace('job:', '')) >= gone));
      const own = buildOwnIndexBackend({ index, sources: { listExisting: there } });
      const query = { search: 'rye flour', country: null, language: null };
      const call = { tenant: 'ten_1', weight: 1, signal: ANY_TIME };
      const counts = [];
      for (const page of [1, 2, 5, 6, 7]) {
        const { organic, hasMore } = await own.search({ ...query, page }, call);
        counts.push([organic.length, hasMore]);
      }
      assert.deepEqual(counts, [
        [10, true],
        [10, true],
        [10, true],
        [10, false],
        [0, false],
      ]);
      // If most pages with all words were deleted, pages with some of the words fill the results.
      gone = 40;
      const { organic, hasMore } = await own.search({ ...query, page: 1 }, call);
      assert.deepEqual([organic.length, hasMore], [10, true]);
      assert.equal(organic.filter(({ text }) => text?.includes('flour')).length, 5);
    });
  },
);

onEveryStore('word statistics of another tenant do not affect results', async (kind) => {
  await withIndex(kind, async (index) => {
    const others = Array.from({ length: 602 }, (_none, at) =>
      buildIndexedPage(`other.example/${at}`, { body: at < 300 ? 'Rye is sown.' : 'Oats are sown.' }),
    );
    await addPages(index, { tenant: 'ten_2', pages: others });
    await addPages(index, {
      tenant: 'ten_1',
      pages: [buildIndexedPage('mill.example/oats', { body: 'Oats are rolled.' })],
    });
    const { ids, isWhole } = await index.find({ tenant: 'ten_1', query: 'rye oats' }, ANY_TIME);
    assert.deepEqual([ids.length, isWhole], [1, true]);
  });
});

onEveryStore(
  'a language excludes pages in other languages, by their lang attribute or else their text',
  async (kind) => {
    await withIndex(kind, async (index) => {
      const pages = [
        buildIndexedPage('mill.example/en', {
          title: 'Mills',
          body: 'The windmill is by the river.',
          language: 'en_GB',
        }),
        buildIndexedPage('mill.example/de', {
          title: 'Mühlen',
          body: 'Die Windmill ist ein Nachbau.',
          language: 'de-AT',
        }),
        buildIndexedPage('mill.example/de-unsaid', { title: 'Windmill', body: 'Das ist die Windmill und ihr Müller.' }),
        buildIndexedPage('mill.example/untold', { title: 'Windmill', body: 'Windmill 1780' }),
      ];
      await addPages(index, { tenant: 'ten_1', pages });
      const found = async (language: string | null): Promise<readonly string[]> =>
        (await findUrls(index, 'windmill', 'ten_1', language))
          .toSorted()
          .map((url) => url.replace('mill.example/', ''));
      assert.deepEqual(await found(null), ['de', 'de-unsaid', 'en', 'untold']);
      assert.deepEqual(await found('de'), ['de', 'de-unsaid', 'untold']);
      assert.deepEqual(await found('EN-us'), ['en', 'untold']);
      assert.deepEqual(await found('d'), ['untold']);
    });
  },
);

onEveryStore('pages with all words rank before those with some', async (kind) => {
  await withIndex(kind, async (index) => {
    await addPages(index, { tenant: 'ten_1', pages: PAGES });
    assert.equal((await findUrls(index, 'bed canvas')).length, 2);
    const [first, ...others] = await findUrls(index, 'runner sail');
    assert.equal(first, 'mill.example/stones');
    assert.deepEqual(others, ['mill.example/sails']);
  });
});

onEveryStore('stop words of a question are not required, unless there are no other words', async (kind) => {
  await withIndex(kind, async (index) => {
    const said = 'How do I do what I do, and why is it so? There is some rye in it.';
    const pages = [
      buildIndexedPage('mill.example/long', { title: 'On and on', body: said.repeat(20) }),
      buildIndexedPage('mill.example/rye', { title: 'Rye', body: 'Grind rye until it is fine and dark.' }),
    ];
    await addPages(index, { tenant: 'ten_1', pages });
    assert.deepEqual(await findUrls(index, 'How do I grind the rye?'), ['mill.example/rye', 'mill.example/long']);
    assert.deepEqual(await findUrls(index, 'how do I'), ['mill.example/long']);
    assert.deepEqual(await findUrls(index, '"why is it so" rye'), ['mill.example/long', 'mill.example/rye']);
  });
});

onEveryStore(
  'quoted phrases match as a whole, accents and case are ignored, and scripts without spaces are segmented',
  async (kind) => {
    await withIndex(kind, async (index) => {
      await addPages(index, { tenant: 'ten_1', pages: PAGES });
      assert.deepEqual(await findUrls(index, '"bed stone"'), ['mill.example/stones']);
      assert.deepEqual(await findUrls(index, '"stone bed"'), []);
      assert.deepEqual(await findUrls(index, '"stone bed" canvas'), ['mill.example/sails']);
      // A phrase may be in a title, but does not span title and body.
      assert.deepEqual(await findUrls(index, '"of a windmill"'), ['mill.example/sails']);
      assert.deepEqual(await findUrls(index, '"windmill canvas"'), []);
      assert.deepEqual(await findUrls(index, '"uber den Müller"'), ['mill.example/caf']);
      assert.deepEqual(await findUrls(index, 'CAFE creme'), ['mill.example/caf']);
      assert.deepEqual(await findUrls(index, 'muller'), ['mill.example/caf']);
      assert.deepEqual(await findUrls(index, '全文検索'), ['mill.example/tokyo']);
      const { ids } = await index.find({ tenant: 'ten_1', query: '東京' }, ANY_TIME);
      const [page] = await index.show('ten_1', ids, ANY_TIME);
      assert.equal(page?.title, '東京の風車');
      assert.equal(page?.body, PAGES[3]?.body);
    });
  },
);

onEveryStore(
  'a query without words finds nothing, and operators of the query language are plain text',
  async (kind) => {
    await withIndex(kind, async (index) => {
      await addPages(index, { tenant: 'ten_1', pages: PAGES });
      for (const query of [
        '',
        '   ',
        '"',
        '***',
        '():',
        '" "',
        "'",
        '-',
        '😀',
        'NOT',
        'title:',
        'sail" OR tenant : "ten_2',
      ]) {
        await findUrls(index, query);
      }
      assert.deepEqual(await findUrls(index, '*'), []);
      assert.deepEqual(await findUrls(index, "stone' | 'x"), ['mill.example/stones']);
      await findUrls(index, 'word '.repeat(5000));
    });
  },
);

onEveryStore('a tenant finds only its own pages', async (kind) => {
  await withIndex(kind, async (index) => {
    await addPages(index, { tenant: 'ten_1', pages: PAGES.slice(0, 1) });
    await addPages(index, { tenant: 'ten_2', pages: PAGES.slice(1, 2) });
    assert.deepEqual(await findUrls(index, 'sail', 'ten_1'), ['mill.example/sails']);
    assert.deepEqual(await findUrls(index, 'sail', 'ten_2'), ['mill.example/stones']);
    assert.deepEqual(await findUrls(index, 'sail', 'ten_'), []);
    const { ids } = await index.find({ tenant: 'ten_1', query: 'sail' }, ANY_TIME);
    assert.deepEqual(await index.show('ten_2', ids, ANY_TIME), []);
  });
});

onEveryStore('a page that is added again replaces its earlier version', async (kind) => {
  await withIndex(kind, async (index) => {
    await addPages(index, { tenant: 'ten_1', pages: PAGES });
    const again = buildIndexedPage('mill.example/stones#top', {
      title: 'Querns',
      body: 'Older than mills.',
      source: 'job:2',
    });
    await addPages(index, { tenant: 'ten_1', pages: [again, ...PAGES.slice(0, 1)] });
    assert.deepEqual(await findUrls(index, 'runner'), []);
    assert.deepEqual(await findUrls(index, 'querns'), ['mill.example/stones#top']);
    assert.deepEqual(await index.listSources('', 10, ANY_TIME), ['job:1', 'job:2']);
  });
});

onEveryStore('a page of a job that is fetched again stays as long as the result of the job', async (kind) => {
  await withIndex(kind, async (index) => {
    const page = buildIndexedPage('mill.example/stones', { title: 'Millstones', source: 'job:1' });
    for (const [facts, source] of [
      [{}, 'job:1'],
      [{ source: 'copy:1' }, 'job:1'],
      [{ source: 'copy:1', title: 'Stones' }, 'job:1'],
      [{ source: 'job:2', title: 'Stones' }, 'job:2'],
      [{ source: 'job:3', title: 'Querns' }, 'job:3'],
    ] as const) {
      await addPages(index, { tenant: 'ten_1', pages: [{ ...page, ...facts }] });
      assert.deepEqual(await index.listSources('', 10, ANY_TIME), [source]);
    }
  });
});

onEveryStore('the pages of a deleted source are removed, and the oldest pages above the size limit', async (kind) => {
  await withIndex(kind, async (index) => {
    const many = Array.from({ length: 120 }, (_, n) =>
      buildIndexedPage(`mill.example/${n}`, {
        title: `Sack ${n}`,
        body: 'rye '.repeat(200 + n),
        source: `job:${n % 2}`,
      }),
    );
    await addPages(index, { tenant: 'ten_1', pages: many });
    await index.removeSources(['job:0'], ANY_TIME);
    assert.deepEqual(await index.listSources('', 10, ANY_TIME), ['job:1']);
    assert.equal((await index.find({ tenant: 'ten_1', query: 'rye' }, ANY_TIME)).ids.length, 60);
    await index.trim(1, EQUAL_SHARES, ANY_TIME);
    assert.deepEqual(await findUrls(index, 'rye'), []);
  });
});

/** No tenant has its own limit. */
const EQUAL_SHARES = async (): Promise<ReadonlyMap<string, number | null>> => new Map();

/** Different words for each page. */
function buildWords(n: number): string {
  return Array.from({ length: 700 }, (_, at) => `w${(n * 7919 + at * 104_729) % 50_021}`).join(' ');
}

onEveryStore('an index at its size limit loses its oldest pages and releases the space', async (kind) => {
  await withIndex(kind, async (index, folder) => {
    const many = Array.from({ length: 150 }, (_, n) =>
      buildIndexedPage(`mill.example/${n}`, { title: `Sack ${n}`, body: `rye ${buildWords(n)}` }),
    );
    for (const part of [many.slice(0, 50), many.slice(50, 100), many.slice(100)])
      await addPages(index, { tenant: 'ten_1', pages: part });
    const all = await index.bytes(ANY_TIME);
    for (let round = 0; round < 3; round += 1) await index.trim(all * 0.6, EQUAL_SHARES, ANY_TIME);
    const left = await findUrls(index, 'rye');
    assert.ok(left.length > 50 && left.length <= 110, `${left.length} of 150 pages are left`);
    assert.ok(left.includes('mill.example/149') && !left.includes('mill.example/0'));
    assert.ok((await index.bytes(ANY_TIME)) <= all * 0.6);
    if (kind === 'postgres') return;
    await index.close();
    assert.ok((await stat(join(folder, 'search.db'))).size < all * 0.75);
  });
});

/** Pages of a site with different words. */
function buildPages(name: string, count: number): readonly IndexedPage[] {
  return Array.from({ length: count }, (_, n) =>
    buildIndexedPage(`${name}.example/${n}`, {
      title: `Sack ${n}`,
      body: `rye ${buildWords(n)}`,
      source: `job:${name}`,
    }),
  );
}

onEveryStore(
  'a full index removes pages of the tenant that uses the most of its share, regardless of age',
  async (kind) => {
    await withIndex(kind, async (index) => {
      await addPages(index, { tenant: 'ten_small', pages: buildPages('small', 10) });
      await addPages(index, { tenant: 'ten_paid', pages: buildPages('paid', 60) });
      for (let part = 0; part < 3; part += 1)
        await addPages(index, { tenant: 'ten_large', pages: buildPages(`large${part}`, 40) });
      const left = async () => {
        const counts = [];
        for (const tenant of ['ten_small', 'ten_paid', 'ten_large'])
          counts.push((await findUrls(index, 'rye', tenant)).length);
        return counts;
      };
      const all = await index.bytes(ANY_TIME);
      await index.trim(all * 0.8, EQUAL_SHARES, ANY_TIME);
      const [small, paid, large = 0] = await left();
      assert.deepEqual([small, paid], [10, 60]);
      assert.ok(large > 60 && large < 100, `${large} are left`);
      assert.ok((await findUrls(index, 'rye', 'ten_large')).includes('large2.example/39'));
      const shares = async () =>
        new Map([
          ['ten_small', all / 100],
          ['ten_paid', null],
          ['ten_large', all / 10],
        ]);
      await index.trim(all * 0.5, shares, ANY_TIME);
      const [less = 0, kept, fewer = 0] = await left();
      assert.equal(kept, 60);
      assert.ok(less >= 1 && less < 10 && fewer > 5 && fewer < 45, `${less} and ${fewer} are left`);
    });
  },
);

/** Pages of some common and some rare words, of many lengths. */
function mixedPages(site: string, { count, seed, length }: { count: number; seed: number; length: number }) {
  let at = seed;
  const next = (below: number): number => {
    at = (at * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((at / 2_147_483_648) * below);
  };
  const word = (): string => `word${Math.min(next(40), next(40))}`;
  return Array.from({ length: count }, (_, n) =>
    buildIndexedPage(`${site}.example/${n}`, {
      title: `Page ${word()}`,
      body: Array.from({ length: 5 + next(length) }, word).join(' '),
    }),
  );
}

onEveryStore('pages of other tenants change neither the results of a tenant nor their order', async (kind) => {
  const queries = [
    'word1',
    'word3 word20',
    'word30 word35',
    '"word2 word3" word9',
    'word0 word7 word12 word25',
    'page',
  ];
  await withIndex(kind, async (index) => {
    await addPages(index, { tenant: 'ten_1', pages: mixedPages('mill', { count: 60, seed: 7, length: 60 }) });
    const find = async () => Promise.all(queries.map(async (query) => findUrls(index, query)));
    const alone = await find();
    assert.ok(alone.every(({ length }) => length > 3));
    for (const [tenant, length] of [
      ['ten_2', 600],
      ['ten_3', 4],
    ] as const) {
      const others = mixedPages(tenant, { count: 90, seed: length, length }).map((page) => ({
        ...page,
        body: `${page.body} ${length > 99 ? 'word20 word35 word9' : 'word1 word2 word3'}`,
      }));
      await addPages(index, { tenant, pages: others });
      assert.deepEqual(await find(), alone);
    }
  });
});

onEveryStore('two pages that differ in one word keep their order if other tenants have that word', async (kind) => {
  await withIndex(kind, async (index) => {
    const pages = ['zqxalpha', 'zqxbeta'].map((word) =>
      buildIndexedPage(`${word}.example/`, { body: `rye and oats, ${word}.` }),
    );
    await addPages(index, { tenant: 'ten_1', pages });
    const order = await findUrls(index, 'zqxalpha zqxbeta');
    assert.equal(order.length, 2);
    const others = Array.from({ length: 6 }, (_, n) =>
      buildIndexedPage(`b.example/${n}`, { body: `${order[0]?.replace('.example/', '')} ${n}` }),
    );
    await addPages(index, { tenant: 'ten_2', pages: others });
    assert.deepEqual(await findUrls(index, 'zqxalpha zqxbeta'), order);
  });
});

/** Words of many scripts as written on a page, and possible queries for them. */
const SCRIPTS = [
  ['Йогурт и ёлка в тёмном лесу', 'елка'],
  ['Ο μύλος του ποταμού', 'μυλος'],
  ['हिन्दी में पवनचक्की', 'हिन्दी'],
  ['風車がありがとうと言う', 'ありがとう'],
  ['풍차는 바람으로 돈다', '바람으로'],
  ['กังหันลมหมุนตามลม', 'กังหันลม'],
  ['طَاحُونَة الهواء', 'طاحونة'],
  ['Der ﬁligrane Müller', 'filigrane'],
  ['Straße nach Łódź', 'łodz'],
  ['İstanbul değirmeni', 'degirmeni'],
] as const;

onEveryStore('words of every script are found', async (kind) => {
  await withIndex(kind, async (index) => {
    const pages = SCRIPTS.map(([body], at) => buildIndexedPage(`words.example/${at}`, { body }));
    await addPages(index, { tenant: 'ten_1', pages });
    for (const [at, [, asked]] of SCRIPTS.entries()) {
      assert.deepEqual(await findUrls(index, asked), [`words.example/${at}`], asked);
    }
  });
});

/** Pages that are hard to index; each is found by its title. */
const HARD = [
  buildIndexedPage('hard.example/zero', { title: 'Zeros\0among', body: 'a\0b \0' }),
  buildIndexedPage('hard.example/half', { title: 'Halves', body: '\ud83d alone \udc00', description: '\udfff' }),
  buildIndexedPage('hard.example/cut', { title: `Surrogates ${'😀'.repeat(400)}`, body: '😀'.repeat(150_000) }),
  buildIndexedPage(`hard.example/${'x9'.repeat(4000)}`, { title: 'Addresses' }),
  buildIndexedPage('hard.example/long', { title: 'Endless', body: 'ж'.repeat(190_000) }),
  buildIndexedPage('hard.example/many', { title: 'Syllables', body: hangulWords(66_000) }),
  buildIndexedPage('hard.example/same', { title: 'Sameness', body: 'a '.repeat(99_999) }),
];

/** The given number of different words of two Korean syllables, which are folded to six letters of three bytes. */
function hangulWords(count: number): string {
  return Array.from({ length: count }, (_, n) =>
    String.fromCharCode(0xac_01 + Math.floor(n / 300) * 28, 0xac_01 + (n % 300)),
  ).join(' ');
}

onEveryStore('a page with any text is indexed, and a very long one is found by its beginning', async (kind) => {
  await withIndex(kind, async (index) => {
    for (const page of HARD) await addPages(index, { tenant: 'ten_1', pages: [page] });
    for (const { url, title } of HARD) {
      const [word = ''] = title.split(/[\0 ]/);
      assert.deepEqual(await findUrls(index, word), [url.replace('https://', '')], word);
    }
    assert.deepEqual(await findUrls(index, hangulWords(1)), ['hard.example/many']);
    const { ids } = await index.find({ tenant: 'ten_1', query: 'surrogates' }, ANY_TIME);
    const [cut] = await index.show('ten_1', ids, ANY_TIME);
    assert.ok(cut?.title.isWellFormed() === true && !cut.title.includes('\ufffd'));
    await findUrls(index, 'ж'.repeat(2000));
  });
});

onEveryStore('of two processes that read one part of a source only one adds it', async (kind) => {
  await withIndex(kind, async (index) => {
    const step = { source: 'job:1', before: null, after: { seq: 2, at: '0' } };
    const one = await index.addWithProgress(
      await index.prepare({ tenant: 'ten_1', pages: PAGES.slice(0, 1) }),
      step,
      ANY_TIME,
    );
    const other = await index.addWithProgress(
      await index.prepare({ tenant: 'ten_1', pages: PAGES.slice(1, 2) }),
      step,
      ANY_TIME,
    );
    assert.deepEqual([one, other], [true, false]);
    assert.deepEqual(await findUrls(index, 'stone'), []);
    assert.deepEqual(await index.findProgress('job:1', ANY_TIME), { seq: 2, at: '0' });
  });
});

test('a tenant with many searches of the SQLite index hardly delays those of another', async () => {
  await withIndex('sqlite', async (index) => {
    await addPages(index, { tenant: 'ten_1', pages: mixedPages('mill', { count: 60, seed: 7, length: 60 }) });
    await addPages(index, { tenant: 'ten_2', pages: mixedPages('other', { count: 60, seed: 9, length: 60 }) });
    let done = 0;
    const many = Array.from({ length: 200 }, async () =>
      findUrls(index, 'word3 word20', 'ten_2').finally(() => (done += 1)),
    );
    assert.ok((await findUrls(index, 'word1')).length > 3);
    assert.ok(done < 100, `${done} of 200 were before it`);
    await Promise.all(many);
  });
});
