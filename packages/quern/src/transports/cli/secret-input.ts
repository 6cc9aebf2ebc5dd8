import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { InterruptedError } from './exit.ts';

/** Standard input. */
type Input = NodeJS.ReadStream;

const MAX_CHARS = 4096;

/** Reads a line of standard input. On a terminal, it prompts and does not echo the typed text. */
export async function readSecret(question: string, input: Input, ask: (text: string) => void): Promise<string> {
  if (!input.isTTY) return readLine(input);
  // Before the prompt, since the terminal echoes until then.
  input.setRawMode(true);
  try {
    ask(question);
    return await readKeys(input);
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

/** Reads keys in raw mode until Enter. */
async function readKeys(input: Input): Promise<string> {
  let typed = '';
  for await (const piece of input.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    for (const key of String(piece)) {
      if (key === '\r' || key === '\n' || key === '\u0004') return typed;
      if (key === '\u0003') throw new InterruptedError('nothing is kept');
      typed = key === '\u007F' || key === '\b' ? typed.slice(0, -1) : (typed + key).slice(0, MAX_CHARS);
    }
  }
  return typed;
}
