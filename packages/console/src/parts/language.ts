/**
 * Gives the browser a language that is a language tag where its own is none, such as `en-US@posix` of some systems: the
 * library of charts does not load with one.
 */
export function repairLanguage(given: { readonly language: string }): void {
  if (isLanguageTag(given.language)) return;
  const [plain = ''] = given.language.split(/[@.]/, 1);
  const tag = plain.replaceAll('_', '-');
  const value = isLanguageTag(tag) ? tag : 'en-US';
  Object.defineProperty(given, 'language', { value, configurable: true });
}

function isLanguageTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length > 0;
  } catch {
    return false;
  }
}
