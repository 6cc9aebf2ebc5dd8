import assert from 'node:assert/strict';
import { interact } from '#features/interact/operation.ts';
import { getOperation } from '../../support/engine/queue.ts';
import { at, listAt, textAt } from '../../support/members.ts';
import { browserTest, type Pages } from '../../support/rendered.ts';
import { sessionSiteFor } from '../../support/sessions.ts';
import { type Gate, withGate } from '../gate.ts';

const asked: string[] = [];

const PAGES: Pages = {
  '/in': (request, response) => {
    asked.push(request.headers.cookie ?? '');
    response.setHeader('set-cookie', ['sid=1; Path=/; HttpOnly; Max-Age=600', 'plain=1; Path=/']);
    response
      .setHeader('content-type', 'text/html')
      .end('<h1>In</h1><a href="/on">on</a><script>localStorage.setItem("token", "t")</script>');
  },
  '/on': '<h1>On</h1>',
  '/out':
    '<h1>Out</h1><script>localStorage.clear(); document.cookie = "plain=; max-age=0; path=/"; location.href = "/on"</script>',
};

const siteNow = sessionSiteFor(PAGES);

type Raw = Readonly<Record<string, unknown>>;

async function withSite(work: (gate: Gate, act: (raw: Raw) => Promise<Raw>) => Promise<void>): Promise<void> {
  const { openClimb, allow, origin } = siteNow();
  await withGate({ openClimb, allow }, async (gate) =>
    work(gate, async ({ path, ...raw }) => {
      const url = new URL(String(path), origin).href;
      const { answer, error } = await gate.ask(interact, {
        url,
        proxy: 'basic',
        actions: [{ type: 'wait', ms: 1 }],
        session: 's',
        ...raw,
      });
      if (answer === null) throw error ?? new Error('no answer');
      return answer.body;
    }),
  );
}

async function contents(gate: Gate): Promise<Raw> {
  return (await gate.ask(getOperation('sessions.show'), { name: 's' })).answer?.body ?? {};
}

browserTest('a session stores what its pages set, even if a step fails, and restores it next time', async () =>
  withSite(async (gate, act) => {
    const failed = await act({ path: '/in', actions: [{ type: 'click', target: '#none', timeout_ms: 300 }] });
    assert.equal(failed['completed'], false);
    const before = await contents(gate);
    assert.deepEqual(
      listAt(before, 'cookie_list').map((one) => [textAt(one, 'name'), at(one, 'http_only'), at(one, 'subdomains')]),
      [
        ['sid', true, false],
        ['plain', false, false],
      ],
    );
    assert.deepEqual(
      listAt(before, 'storage_list').map((one) => at(one, 'items')),
      [1],
    );
    const look = { type: 'evaluate', name: 'held', script: 'document.cookie + localStorage.getItem("token")' };
    const next = await act({ path: '/on', actions: [look] });
    assert.equal(at(next, 'extracted.held'), 'plain=1t');
    assert.deepEqual(listAt(await contents(gate), 'cookie_list'), listAt(before, 'cookie_list'));
  }),
);

browserTest('data that pages clear is deleted from the session, and stays cleared on the next page', async () =>
  withSite(async (gate, act) => {
    await act({ path: '/in', actions: [{ type: 'click', target: 'a' }] });
    const left = { type: 'evaluate', name: 'left', script: 'localStorage.length' };
    const out = await act({ path: '/out', actions: [{ type: 'wait', url: '/on' }, left] });
    assert.equal(at(out, 'extracted.left'), 0);
    const after = await contents(gate);
    assert.deepEqual(
      listAt(after, 'cookie_list').map((one) => at(one, 'name')),
      ['sid'],
    );
    assert.deepEqual(listAt(after, 'storage_list'), []);
  }),
);

browserTest('cookies of the call override those of the session, and are not stored', async () =>
  withSite(async (gate, act) => {
    await act({ path: '/in' });
    asked.length = 0;
    const cookies = [
      { name: 'plain', value: 'mine' },
      { name: 'more', value: 'm' },
    ];
    const look = { type: 'evaluate', name: 'held', script: 'document.cookie' };
    const body = await act({ path: '/on', cookies, actions: [look] });
    assert.deepEqual(textAt(body, 'extracted.held').split('; ').toSorted(), ['more=m', 'plain=mine']);
    await act({ path: '/in' });
    assert.deepEqual(asked[0]?.split('; ').toSorted(), ['plain=1', 'sid=1']);
  }),
);

browserTest('a session that stops responding ends in time, and keeps its earlier data', async () =>
  withSite(async (gate, act) => {
    const actions = [{ type: 'evaluate', name: 'never', script: 'new Promise(() => {})', timeout_ms: 60_000 }];
    await act({ path: '/in', actions, timeout_ms: 8000 }).catch(() => ({}));
    assert.deepEqual(
      listAt(await contents(gate), 'cookie_list').map((one) => at(one, 'name')),
      ['sid', 'plain'],
    );
  }),
);
