import { readFileSync } from 'node:fs';

/** The code blocks of a page in a language, with the test site instead of example.com. */
export function listSamples(page: string, language: string, site: string): readonly string[] {
  const blocks = readFileSync(page, 'utf8').matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'));
  return [...blocks].map(([, code = '']) => code.replaceAll('https://example.com/', `${site}/`));
}
