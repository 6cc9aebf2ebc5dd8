import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Interrupted } from './exit.ts';

/** The used part of standard input. */
type Input = NodeJS.ReadStream;

const MAX_CHARS = 4096;

/** A line of standard input; on a screen it is asked for and not shown. */
export async function readSecret(question: string, input: Input, ask: (text: string) => void): Promise<string> {
  if (!input.isTTY) return readLine(input);
  // Before the question, since the terminal shows what is typed until then.
  input.setRawMode(true);
  try {
    ask(question);
    return await readTyped(input);
  } finally {
    input.setRawMode(false);
    input.pause();
    ask('\n');
  }
}

async function readLine(input: Input): Promise<string> {
  const lines = createInterface({ input });
  try {
    const ended = once(lines, 'close').then(() => ['']);
    const [line = ''] = await Promise.race([once(lines, 'line'), ended]);
    return String(line).slice(0, MAX_CHARS);
  } finally {
    lines.close();
  }
}

/** Reads keys until Enter; raw, because a terminal would show them otherwise. */
async function readTyped(input: Input): Promise<string> {
  let typed = '';
  for await (const piece of input.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    for (const key of String(piece)) {
      if (key === '\r' || key === '\n' || key === '\u0004') return typed;
      if (key === '\u0003') throw new Interrupted('nothing is kept');
      typed = key === '\u007F' || key === '\b' ? typed.slice(0, -1) : (typed + key).slice(0, MAX_CHARS);
    }
  }
  return typed;
}
