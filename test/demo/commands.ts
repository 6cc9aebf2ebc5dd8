/** A command in a documentation page. */
export type PageCommand = { readonly page: string; readonly line: number; readonly text: string };

const CODE_BLOCK = /^```(?:sh|bash|console|shell)\n([^]*?)^```$/gm;

/** The commands in the shell blocks of a page, in order. */
export function readCommands(page: string, text: string): readonly PageCommand[] {
  return [...text.matchAll(CODE_BLOCK)].flatMap(({ 1: block = '', index }) => {
    const first = text.slice(0, index).split('\n').length + 1;
    return splitCommands(block).map(({ text: command, at }) => ({ page, line: first + at, text: command }));
  });
}

/** A command continues on the next line if a quote is open or the line ends with a backslash. */
function splitCommands(block: string): readonly { readonly text: string; readonly at: number }[] {
  const commands: { text: string; at: number }[] = [];
  let open: string[] = [];
  for (const [at, line] of block.split('\n').entries()) {
    open.push(line);
    const text = open.join('\n');
    if (!isComplete(text)) continue;
    if (removeComments(text).trim() !== '') commands.push({ text, at: at + 1 - open.length });
    open = [];
  }
  return commands;
}

function isComplete(text: string): boolean {
  const rest = removeComments(text).replaceAll(/'[^']*'|"(?:\\.|[^"\\])*"/g, '');
  return !/['"]|\\\n?$|\$\([^)]*$/.test(rest);
}

/** A comment begins at a `#` after a blank, outside of quotes. */
function removeComments(text: string): string {
  return text.replaceAll(
    /('[^']*'|"(?:\\.|[^"\\])*")|(?:^|(?<=\s))#.*/g,
    (_, quoted: string | undefined) => quoted ?? '',
  );
}
