/** Public identifiers, by their beginning, that put a page into quirks mode (HTML standard, 13.2.6.4.1). */
const QUIRKY = [
  '+//silmaril//',
  '-//as//',
  '-//advasoft ltd//',
  '-//ietf//',
  '-//metrius//',
  '-//microsoft//',
  '-//netscape comm. corp.//',
  "-//o'reilly and associates//",
  '-//softquad',
  '-//spyglass//',
  '-//sq//',
  '-//sun microsystems corp.//',
  '-//w3c//dtd html 3',
  '-//w3c//dtd html 4.0 frameset//',
  '-//w3c//dtd html 4.0 transitional//',
  '-//w3c//dtd html experimental',
  '-//w3c//dtd w3 html',
  '-//w3o//dtd w3 html',
  '-//webtechs//',
];
const EXACT = new Set(['-//w3o//dtd w3 html strict 3.0//en//', '-/w3c/dtd html 4.0 transitional/en', 'html']);
const QUIRKY_WITHOUT_SYSTEM = ['-//w3c//dtd html 4.01 frameset//', '-//w3c//dtd html 4.01 transitional//'];
const QUIRKY_SYSTEM = 'http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd';

/** Whether a doctype (what follows the word) makes tables stay inside an open paragraph. */
export function isQuirky(doctype: string): boolean {
  const text = doctype.trim().toLowerCase();
  const name = /^[^\s>]*/.exec(text)?.[0];
  if (name !== 'html') return true;
  const rest = text.slice(4).trim();
  const quoted = [...rest.matchAll(/"([^"]*)"|'([^']*)'/g)].map((found) => found[1] ?? found[2] ?? '');
  if (rest.startsWith('system')) return quoted[0] === QUIRKY_SYSTEM;
  if (!rest.startsWith('public')) return rest !== '';
  const [id = '', system = ''] = quoted;
  if (EXACT.has(id) || system === QUIRKY_SYSTEM) return true;
  if (QUIRKY.some((start) => id.startsWith(start))) return true;
  return quoted.length < 2 && QUIRKY_WITHOUT_SYSTEM.some((start) => id.startsWith(start));
}
