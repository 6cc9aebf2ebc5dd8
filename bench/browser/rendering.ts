import { once } from 'node:events';
import type { Order } from './order.ts';

export type Rendering = {
  readonly addresses: Order['addresses'];
  /** Pages at once. */
  readonly atOnce: number;
  /** Gives the HTML of one page. */
  readonly render: (url: string) => Promise<string>;
};

/** Renders all pages as `runProgram` is told of it: what it prints and waits for, until the last line that it reads. */
export async function renderAll({ addresses, atOnce, render }: Rendering): Promise<void> {
  const left = [...addresses];
  let right = 0;
  let firstAt: number | null = null;
  let lastAt = 0;

  async function work(): Promise<void> {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const html = await render(next.url);
      if (html.includes(next.marker)) right += 1;
      else process.stderr.write(`${next.url} has not the text ${next.marker}\n`);
      lastAt = performance.now();
      if (firstAt === null) process.stdout.write('first\n');
      firstAt ??= lastAt;
    }
  }

  process.stdout.write('ready\n');
  await once(process.stdin, 'data');
  await Promise.all(Array.from({ length: atOnce }, work));
  process.stdout.write(`${JSON.stringify({ right, seconds: (lastAt - (firstAt ?? lastAt)) / 1000 })}\n`);
  await once(process.stdin, 'data');
}
