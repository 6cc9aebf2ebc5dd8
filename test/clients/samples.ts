import { readFileSync } from 'node:fs';

/** The code blocks of a page in a language, with the site of the test in place of the one that they name. */
export function samplesOf(page: string, language: string, site: string): readonly string[] {
  const blocks = readFileSync(page, 'utf8').matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'));
  return [...blocks].map(([, code = '']) => code.replaceAll('https://example.com/', `${site}/`));
}
