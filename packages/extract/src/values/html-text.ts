import { escapeAttribute, escapeText } from 'entities';
import { cutAnywhere, inPortions } from './portions.ts';

/** Escapes a text for use as HTML text. */
export function toHtmlText(text: string): string {
  return inPortions(text, cutAnywhere, escapeText);
}

/** Escapes a text for use in a double-quoted HTML attribute. */
export function toHtmlAttribute(text: string): string {
  return inPortions(text, cutAnywhere, escapeAttribute);
}
