import { once } from 'node:events';
import { z } from 'zod';

export type RenderOptions = {
  readonly addresses: RenderOrder['addresses'];
  /** Pages at once. */
  readonly atOnce: number;
  /** Gives the HTML of one page. */
  readonly render: (url: string) => Promise<string>;
};

/** Renders all pages as `runProgram` is told of it: what it prints and waits for, until the last line that it reads. */
export async function renderAll({ addresses, atOnce, render }: RenderOptions): Promise<void> {
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

/** What a program that renders pages is told. */
export const RenderOrder = z.object({
  addresses: z
    .array(
      z.object({
        url: z.string(),
        /** Text that a script writes into the page. */
        marker: z.string(),
      }),
    )
    .readonly(),
  /** Hosts and ports that the pages load from. */
  hosts: z.array(z.string()).readonly(),
  /** The browser that everyone uses. */
  binary: z.string(),
  /** `default`, `tuned`; `page`, `job`. */
  form: z.string(),
  /** For what it writes. */
  folder: z.string(),
});

export type RenderOrder = z.output<typeof RenderOrder>;
