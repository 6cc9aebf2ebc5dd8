/** The values of a session's variables, which are typed and never shown. */
export type Secrets = {
  /** A text with `{{name}}` replaced by the value; a name that is none stays as it is. */
  readonly fill: (text: string) => string;
  /** A text with the values, also as addresses write them, replaced by `{{name}}`. */
  readonly mask: (text: string) => string;
};

/** Shorter values are found in too many texts that have nothing to do with them. */
export const MIN_CHARS = 3;
const PLACE = /\{\{\s*([A-Za-z_]\w{0,63})\s*\}\}/g;

/** Keeps the values of variables out of answers and logs. */
export function buildSecrets(variables: Readonly<Record<string, string>>): Secrets {
  const masks = Object.entries(variables)
    .filter(([, value]) => value.length >= MIN_CHARS)
    .flatMap(([name, value]) => [...writingsOf(value)].map((text) => ({ text, name })))
    .toSorted((one, other) => other.text.length - one.text.length);
  return {
    fill: (text) =>
      text.replace(PLACE, (whole, name: string) => (Object.hasOwn(variables, name) ? (variables[name] ?? '') : whole)),
    mask: (text) => masks.reduce((masked, one) => masked.replaceAll(one.text, `{{${one.name}}}`), text),
  };
}

/** The names that a text wants filled in. */
export function namesIn(text: string): readonly string[] {
  return [...text.matchAll(PLACE)].map(([, name = '']) => name);
}

/** A value as it is, as a form sends it, and as JSON and addresses write it. */
export function writingsOf(value: string): ReadonlySet<string> {
  const inForm = new URLSearchParams({ v: value }).toString().slice(2);
  const inPath = URL.parse(`http://host/${value}`)?.pathname.slice(1) ?? '';
  const inFragment = URL.parse(`http://host/#${value}`)?.hash.slice(1) ?? '';
  // An address cannot hold half of a surrogate pair.
  const whole = value.toWellFormed();
  const inAddresses = [encodeURIComponent(whole), encodeURI(whole), inForm, inPath, inFragment];
  const all = [value, ...inAddresses, JSON.stringify(value).slice(1, -1)];
  return new Set(all.filter((text) => text.length >= MIN_CHARS));
}
