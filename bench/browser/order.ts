import { z } from 'zod';

/** What a program that renders pages is told. */
export const Order = z.object({
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

export type Order = z.output<typeof Order>;
