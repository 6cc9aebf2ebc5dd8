const KEYWORDS: ReadonlySet<string> = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global if ' +
    'import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);

/** Whether a name is a word of Python itself. */
export function isPythonKeyword(name: string): boolean {
  return KEYWORDS.has(name);
}

/** A member's name as Python can write it; `python_name` of the client's records does the same. */
export function toPythonName(name: string): string {
  const word = name.replaceAll(/\W/g, '_').replace(/^(?=\d)/, '_');
  return isPythonKeyword(word) ? `${word}_` : word;
}
