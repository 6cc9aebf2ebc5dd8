import assert from 'node:assert/strict';
import { toResolverOption, ROOT } from '../../support/copy.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  BUSY_NICENESS,
  isRendererProcess,
  measureMemory,
  listProcesses,
  readCommandLine,
} from '#access/browser/processes.ts';
import { BROWSER_NICENESS } from '#access/browser/pool.ts';
import { AttemptFailure } from '#access/failure.ts';
import { BROWSERS, browserTest, openRendered, type Setup, getPageText } from '../../support/rendered.ts';
import { inTemporaryFolder } from '../../support/store.ts';
import { captureFailure } from '#testkit/visitor.ts';

/** A site with a page that responds only when it is released. */
async function openHeld(setup: Setup) {
  const held: ServerResponse[] = [];
  const seen: string[] = [];
  const rendered = await openRendered(
    {
      '/mill': '<p>mill</p>',
      '/loop': '<p>mill</p><script>while (true);</script>',
      '/large': '<p>mill</p><script>const all = new Uint8Array(6e8).fill(1); document.title = all.length;</script>',
      '/hungry': '<p>mill</p><script>for (const all = []; ; ) all.push(new Array(1e6).fill(all.length));</script>',
      '/held': (request, response) => {
        seen.push(request.url ?? '');
        held.push(response);
      },
    },
    setup,
  );
  return {
    ...rendered,
    seen,
    async untilHeld(count: number): Promise<void> {
      await until(() => held.length >= count);
    },
    letGo(): void {
      for (const response of held.splice(0)) response.setHeader('content-type', 'text/html').end('<p>let go</p>');
    },
  };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await delay(20);
}

function isGone(pid: number): boolean {
  return listProcesses(pid)?.length === 0;
}

function listRenderers(pid: number): readonly number[] {
  return (listProcesses(pid) ?? []).filter(isRendererProcess);
}

function killRenderers(pid: number): void {
  for (const one of listRenderers(pid)) process.kill(one, 'SIGKILL');
}

function getOnly(pids: readonly number[]): number {
  const [pid] = pids;
  if (pid === undefined) throw new Error('no browser runs');
  return pid;
}

browserTest('no data of a request appears on a command line', async () => {
  if (process.platform !== 'linux') return;
  const rendered = await openRendered({ '/mill': '<p>mill</p>' });
  const flag = '--renderer-cmd-prefix=/bin/false';
  try {
    const wishes = { device: 'mobile', userAgent: flag, locale: 'de-DE', waitForSelector: `p, [x="${flag}"]` } as const;
    assert.match(await rendered.html(`/mill?${flag}`, { ...wishes, headers: { 'x-flag': flag } }), /mill/);
    const lines = (listProcesses(getOnly(rendered.pids())) ?? []).map(readCommandLine);
    assert.ok(lines.some((line) => line.includes('--type=renderer')));
    assert.deepEqual(
      lines.filter((line) => /cmd-prefix|mill|de-DE/.test(line)),
      [],
    );
  } finally {
    await rendered.close();
  }
});

browserTest('the browser process starts at the first visit, and ends when idle', async () => {
  const rendered = await openHeld({ idleMs: 300 });
  try {
    assert.deepEqual(rendered.pids(), []);
    await rendered.visit('/mill');
    const first = getOnly(rendered.pids());
    const pids = listProcesses(first);
    assert.ok(pids === null || pids.some((pid) => measureMemory(pid) > 0));
    await until(() => rendered.pids().length === 0 && isGone(first));
    await rendered.visit('/mill');
    assert.notEqual(getOnly(rendered.pids()), first);
  } finally {
    await rendered.close();
  }
});

browserTest('a browser is replaced after a number of pages, and its open pages can finish', async () => {
  const rendered = await openHeld({ pool: { pages: 2 } });
  try {
    const open = rendered.visit('/held');
    await rendered.untilHeld(1);
    const first = getOnly(rendered.pids());
    await rendered.visit('/mill');
    await rendered.visit('/mill');
    assert.equal(rendered.pids().length, 2);
    rendered.letGo();
    assert.match(getPageText(await open), /let go/);
    await until(() => isGone(first));
  } finally {
    await rendered.close();
  }
});

browserTest('a browser is replaced when it is old or uses much memory', async () => {
  for (const [pool, visits] of [
    [{ ageMs: 1 }, 2],
    [{ bytes: 1 }, 10],
  ] as const) {
    const rendered = await openHeld({ pool });
    try {
      await rendered.visit('/mill');
      const first = getOnly(rendered.pids());
      for (let n = 1; n < visits; n += 1) await rendered.visit('/mill');
      await until(() => isGone(first));
      assert.notEqual(getOnly(rendered.pids()), first);
    } finally {
      await rendered.close();
    }
  }
});

/** A browser on a machine without namespaces, and its arguments. */
function writeBare(folder: string): { readonly program: string; readonly log: string } {
  const [program, log] = [join(folder, 'headless-shell'), join(folder, 'flags')];
  const refusal = 'echo "No usable sandbox! Update your kernel" >&2; exit 1';
  const real = BROWSERS?.shell.path ?? '';
  const script = `case " $* " in *" --version "*) ;; *" --no-sandbox "*) echo bare >> ${log} ;; *) echo boxed >> ${log}; ${refusal} ;; esac`;
  writeFileSync(program, `#!/bin/sh\n${script}\nexec ${real} "$@"\n`, { mode: 0o755 });
  return { program, log };
}

browserTest('a browser has its sandbox, except as root and without namespaces, which is reported', async () => {
  await inTemporaryFolder(async (folder) => {
    const { program, log } = writeBare(folder);
    for (const [isRoot, starts, warning] of [
      [false, 'boxed\nbare\n', /does not allow user namespaces/],
      [true, 'bare\n', /without its sandbox because the service runs as root/],
    ] as const) {
      writeFileSync(log, '');
      const rendered = await openHeld({ program, isRoot });
      try {
        await rendered.visit('/mill');
        assert.equal(readFileSync(log, 'utf8'), starts);
        assert.match(rendered.warnings.join(), warning);
      } finally {
        await rendered.close();
      }
    }
  });
});

browserTest('visits wait for a slot in order, and a cancelled one leaves the queue', async () => {
  const rendered = await openHeld({ slots: 1 });
  try {
    const visits = [rendered.visit('/held?1')];
    await rendered.untilHeld(1);
    const givenUp = new AbortController();
    const second = captureFailure(async () => rendered.visit('/held?2', {}, givenUp.signal));
    visits.push(rendered.visit('/held?3'), rendered.visit('/held?4'));
    givenUp.abort();
    assert.equal((await second).code, 'timeout');
    for (const visit of visits) {
      await rendered.untilHeld(1);
      rendered.letGo();
      assert.match(getPageText(await visit), /let go/);
    }
    assert.deepEqual(rendered.seen, ['/held?1', '/held?3', '/held?4']);
  } finally {
    await rendered.close();
  }
});

browserTest('a tenant whose pages fill the browser leaves a slot for the page of another', async () => {
  const rendered = await openHeld({ slots: 2 });
  try {
    const visits = [1, 2, 3, 4].map(async (n) =>
      rendered.visit(`/held?${n}`, { party: { tenant: 'mill', weight: 8 } }),
    );
    await rendered.untilHeld(2);
    assert.equal((await rendered.visit('/mill', { party: { tenant: 'inn', weight: 1 } })).status, 200);
    assert.equal(rendered.seen.length, 2);
    rendered.letGo();
    await rendered.untilHeld(2);
    rendered.letGo();
    await Promise.all(visits);
  } finally {
    await rendered.close();
  }
});

browserTest(
  'pages whose shared browser died are reloaded separately, so that one cannot crash the others again',
  async () => {
    const rendered = await openHeld({});
    try {
      const visits = Promise.allSettled([rendered.visit('/held?1'), rendered.visit('/held?2')]);
      await rendered.untilHeld(2);
      process.kill(getOnly(rendered.pids()), 'SIGKILL');
      await rendered.untilHeld(4);
      const [one, other] = rendered.pids();
      assert.ok(one !== undefined && other !== undefined && rendered.pids().length === 2);
      process.kill(one, 'SIGKILL');
      await until(() => isGone(one));
      rendered.letGo();
      assert.deepEqual((await visits).map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
      await until(() => rendered.pids().length === 1);
      await rendered.visit('/mill');
      assert.deepEqual(rendered.pids(), [other], 'the browser that served goes on');
    } finally {
      await rendered.close();
    }
  },
);

browserTest('a page whose process dies is loaded once more in a new browser', async () => {
  const rendered = await openHeld({});
  try {
    const visit = rendered.visit('/held');
    await rendered.untilHeld(1);
    const first = getOnly(rendered.pids());
    killRenderers(first);
    await rendered.untilHeld(2);
    rendered.letGo();
    assert.match(getPageText(await visit), /let go/);
    await until(() => rendered.pids().length === 0);
    await rendered.visit('/mill');
    assert.notEqual(getOnly(rendered.pids()), first);
  } finally {
    await rendered.close();
  }
});

browserTest('a page that kills its browser twice fails', async () => {
  const rendered = await openHeld({});
  try {
    const failure = captureFailure(async () => rendered.visit('/held'));
    for (const count of [1, 2]) {
      await rendered.untilHeld(count);
      process.kill(getOnly(rendered.pids()), 'SIGKILL');
    }
    const error = await failure;
    assert.equal(error.code, 'backend_unavailable');
    assert.ok(error.cause instanceof AttemptFailure && error.cause.outcome === 'render_failed');
    await rendered.visit('/mill');
  } finally {
    await rendered.close();
  }
});

browserTest('a browser that uses too much memory is killed with its pages', async () => {
  const rendered = await openHeld({ pool: { mostBytes: 1, watchMs: 50 } });
  try {
    const error = await captureFailure(async () => rendered.visit('/held'));
    assert.equal(error.code, 'backend_unavailable');
  } finally {
    await rendered.close();
  }
});

/** A visit that loses its page, while another page of the browser is open and stays. */
async function loseBeside(setup: Setup, path: string, wishes: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const rendered = await openHeld(setup);
  try {
    const open = rendered.visit('/held');
    await rendered.untilHeld(1);
    const first = getOnly(rendered.pids());
    const error = await captureFailure(async () => rendered.visit(path, wishes));
    assert.equal(error.code, 'backend_unavailable');
    rendered.letGo();
    assert.match(getPageText(await open), /let go/);
    assert.equal(getOnly(rendered.pids()), first);
  } finally {
    await rendered.close();
  }
}

browserTest('if pages together use too much memory, the largest is killed and the others stay', async () =>
  loseBeside({ pool: { mostBytes: 500 * 1024 * 1024, watchMs: 50 } }, '/large', { waitMs: 20_000 }),
);

browserTest('scripts that exceed the memory limit of a page crash only their tab', async () =>
  loseBeside({}, '/hungry'),
);

browserTest('the processes of a browser have lower priority than the service, alone and as a group', async () => {
  const rendered = await openHeld({});
  try {
    await rendered.visit('/mill');
    const pid = getOnly(rendered.pids());
    assert.ok(listRenderers(pid).every((one) => getPriority(one) >= BROWSER_NICENESS));
    const group = `/proc/${pid}/autogroup`;
    if (existsSync(group)) assert.ok(readFileSync(group, 'utf8').trim().endsWith(`nice ${BROWSER_NICENESS}`));
  } finally {
    await rendered.close();
  }
});

browserTest('an endless script does not outlive its visit', async () => {
  const rendered = await openHeld({});
  try {
    await rendered.visit('/mill');
    const pid = getOnly(rendered.pids());
    const before = listRenderers(pid).length;
    await captureFailure(async () => rendered.visit('/loop', {}, AbortSignal.timeout(1_500)));
    await until(() => listRenderers(pid).length <= before);
    assert.deepEqual(rendered.pids(), [pid]);
  } finally {
    await rendered.close();
  }
});

browserTest('a page with an endless script yields to other pages', async () => {
  const rendered = await openHeld({ pool: { watchMs: 1_000 } });
  const stop = new AbortController();
  try {
    await rendered.visit('/mill');
    const pid = getOnly(rendered.pids());
    const priorities = (): readonly number[] => listRenderers(pid).map((one) => getPriority(one));
    assert.ok(!priorities().includes(BUSY_NICENESS));
    const busy = captureFailure(async () => rendered.visit('/loop', {}, stop.signal));
    await until(() => priorities().includes(BUSY_NICENESS));
    stop.abort();
    await busy;
  } finally {
    await rendered.close();
  }
});

browserTest('closing ends the processes and removes the profiles, even while a page is open', async () => {
  const rendered = await openHeld({});
  const visit = captureFailure(async () => rendered.visit('/held'));
  await rendered.untilHeld(1);
  const pid = getOnly(rendered.pids());
  await rendered.close();
  assert.equal((await visit).code, 'backend_unavailable');
  await until(() => isGone(pid));
  const mine = readdirSync(tmpdir()).filter((name) => name.startsWith(`quern-browser-${process.pid}-`));
  assert.deepEqual(mine, []);
});

browserTest('a program that is not a browser is reported as failing to start', async () => {
  const rendered = await openHeld({ program: '/bin/true' });
  try {
    const error = await captureFailure(async () => rendered.visit('/mill'));
    assert.deepEqual([error.code, error.message], ['backend_unavailable', 'the browser did not start']);
  } finally {
    await rendered.close();
  }
});

browserTest('kill -9 of its owner leaves no browser behind, even during an endless script', async () => {
  const owner = spawn(
    process.execPath,
    [toResolverOption(ROOT), join(import.meta.dirname, '../../support/browser-owner.ts')],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const [line] = await once(owner.stdout, 'data');
  const pid = Number(String(line));
  assert.ok((listProcesses(pid)?.length ?? 0) > 1);
  owner.kill('SIGKILL');
  await once(owner, 'exit');
  await until(() => isGone(pid));
});
