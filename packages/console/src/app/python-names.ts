const KEYWORDS: ReadonlySet<string> = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global if ' +
    'import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);

/** Whether a name is a keyword of Python. */
export function isPythonKeyword(name: string): boolean {
  return KEYWORDS.has(name);
}

/** Converts the name of a JSON member to a Python identifier, as `python_name` in the Python client does. */
export function toPythonName(name: string): string {
  const word = name.replaceAll(/\W/g, '_').replace(/^(?=\d)/, '_');
  return isPythonKeyword(word) ? `${word}_` : word;
}
