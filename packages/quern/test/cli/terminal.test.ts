import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTerminal } from '#transports/cli/terminal.ts';

/** The text that a terminal writes to standard output and standard error. */
function openScreen(isTTY: boolean, columns?: number, isShared = false) {
  const written = { out: '', err: '' };
  const terminal = createTerminal(
    { isTTY: isShared, write: (text) => (written.out += text) },
    { isTTY, columns, write: (text) => (written.err += text) },
  );
  return { terminal, written };
}

test('on a terminal, a live line replaces the previous one and ends before other output', () => {
  const { terminal, written } = openScreen(true, 12);
  terminal.live('queued');
  terminal.live('running: 1 of 2 done');
  terminal.note('left');
  terminal.live('again');
  terminal.out('# Rye\n');
  terminal.note('paid');
  assert.equal(written.err, '\r\u001B[2Kqueued\r\u001B[2Krunning: 1 \nleft\n\r\u001B[2Kagain\npaid\n');
  assert.equal(written.out, '# Rye\n');
});

test('in a file, a live line is a regular line', () => {
  const { terminal, written } = openScreen(false);
  terminal.live('queued');
  terminal.live('running');
  terminal.note('left');
  assert.deepEqual(written, { out: '', err: 'queued\nrunning\nleft\n' });
});

test('results on the same terminal are written above the live line', () => {
  const { terminal, written } = openScreen(true, 80, true);
  terminal.live('1 page');
  terminal.out('{}\n');
  terminal.live('2 pages');
  assert.equal(written.err, '\r\u001B[2K1 page\r\u001B[2K\r\u001B[2K2 pages');
});

test('a terminal of unknown width gets the default width', () => {
  const { terminal, written } = openScreen(true, 0);
  terminal.live('running');
  assert.equal(written.err, '\r\u001B[2Krunning');
});

test('control sequences except colours are made visible on a terminal; a pipe gets every byte', () => {
  const hostile = 'a\u001B]0;title\u0007b\u001B[2Jc\u009B5nd\re\tf\n\u001B[1mbold\u001B[22m';
  const { terminal, written } = openScreen(true, 80, true);
  terminal.out(hostile);
  assert.equal(written.out, 'a\uFFFD]0;title\uFFFDb\uFFFD[2Jc\uFFFD5nd\uFFFDe\tf\n\u001B[1mbold\u001B[22m');
  const piped = openScreen(true);
  piped.terminal.out(hostile);
  assert.equal(piped.written.out, hostile);
  assert.deepEqual([terminal.display?.columns, piped.terminal.display], [80, null]);
});
