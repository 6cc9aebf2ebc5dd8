import { escapeAttribute, escapeText } from 'entities';
import { cutAnywhere, transformInPortions } from './portions.ts';

/** Escapes a text for use as HTML text. */
export function escapeHtmlText(text: string): string {
  return transformInPortions(text, cutAnywhere, escapeText);
}

/** Escapes a text for use in a double-quoted HTML attribute. */
export function escapeHtmlAttribute(text: string): string {
  return transformInPortions(text, cutAnywhere, escapeAttribute);
}
