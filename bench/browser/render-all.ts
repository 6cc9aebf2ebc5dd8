import { once } from 'node:events';
import { z } from 'zod';

export type RenderOptions = {
  readonly addresses: RenderOrder['addresses'];
  /** Number of pages in parallel. */
  readonly atOnce: number;
  /** Renders one page and returns its HTML. */
  readonly render: (url: string) => Promise<string>;
};

/** Renders all pages, following the protocol of `runProgram` on standard input and output. */
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

/** The task of a program that renders pages. */
export const RenderOrder = z.object({
  addresses: z
    .array(
      z.object({
        url: z.string(),
        /** Text that a script adds to the page. */
        marker: z.string(),
      }),
    )
    .readonly(),
  /** Hosts (with port) from which the pages load. */
  hosts: z.array(z.string()).readonly(),
  /** Path of the browser, the same for all programs. */
  binary: z.string(),
  /** Variant of the program: `default` or `tuned`, `page` or `job`. */
  form: z.string(),
  /** Folder for temporary files. */
  folder: z.string(),
});

export type RenderOrder = z.output<typeof RenderOrder>;
