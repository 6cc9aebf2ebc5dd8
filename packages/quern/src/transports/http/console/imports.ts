/** A specifier in quotes, after the words that make it one; minified modules have no spaces. */
const IMPORTED = /(\bfrom\s*|\bimport\s*\(?\s*)(?:'([^'\n]+)'|"([^"\n]+)")/g;

/** The specifiers that a module without types imports, static and dynamic ones. */
export function importsOf(text: string): readonly string[] {
  return [...new Set([...text.matchAll(IMPORTED)].map((match) => match[2] ?? match[3] ?? ''))];
}

/** The specifiers that it imports before it runs. */
export function staticImportsOf(text: string): readonly string[] {
  const found = [...text.matchAll(IMPORTED)].filter(([, word = '']) => !word.includes('('));
  return [...new Set(found.map((match) => match[2] ?? match[3] ?? ''))];
}

/** A module with other specifiers. */
export function rewriteImports(text: string, toTarget: (specifier: string) => string): string {
  return text.replaceAll(IMPORTED, (_whole, word: string, single?: string, double?: string) => {
    const quote = single === undefined ? '"' : "'";
    return `${word}${quote}${toTarget(single ?? double ?? '')}${quote}`;
  });
}
