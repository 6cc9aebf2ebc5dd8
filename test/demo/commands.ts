/** A command of a page, as a reader would paste it. */
export type Pasted = { readonly page: string; readonly line: number; readonly text: string };

const BLOCK = /^```(?:sh|bash|console|shell)\n([^]*?)^```$/gm;

/** The commands of a page's shell blocks, in their order. */
export function readCommands(page: string, text: string): readonly Pasted[] {
  return [...text.matchAll(BLOCK)].flatMap(({ 1: block = '', index }) => {
    const first = text.slice(0, index).split('\n').length + 1;
    return splitCommands(block).map(({ text: command, at }) => ({ page, line: first + at, text: command }));
  });
}

/** Lines are one command as long as a quote is open, or the last one ends in a backslash. */
function splitCommands(block: string): readonly { readonly text: string; readonly at: number }[] {
  const commands: { text: string; at: number }[] = [];
  let open: string[] = [];
  for (const [at, line] of block.split('\n').entries()) {
    open.push(line);
    const text = open.join('\n');
    if (!isWhole(text)) continue;
    if (withoutComments(text).trim() !== '') commands.push({ text, at: at + 1 - open.length });
    open = [];
  }
  return commands;
}

function isWhole(text: string): boolean {
  const rest = withoutComments(text).replaceAll(/'[^']*'|"(?:\\.|[^"\\])*"/g, '');
  return !/['"]|\\\n?$|\$\([^)]*$/.test(rest);
}

/** A comment begins at a `#` after a blank, outside of quotes. */
function withoutComments(text: string): string {
  return text.replaceAll(
    /('[^']*'|"(?:\\.|[^"\\])*")|(?:^|(?<=\s))#.*/g,
    (_, quoted: string | undefined) => quoted ?? '',
  );
}
