import { escapeAttribute, escapeText } from 'entities';
import { cutAnywhere, inPortions } from './portions.ts';

/** Text as HTML that shows it. */
export function toHtmlText(text: string): string {
  return inPortions(text, cutAnywhere, escapeText);
}

/** Text as the value of an attribute between double quotes. */
export function toHtmlAttribute(text: string): string {
  return inPortions(text, cutAnywhere, escapeAttribute);
}
