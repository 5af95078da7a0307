// Plain text as paragraphs of HTML, with its line breaks.
import { html, joinMarkup, type Markup } from './markup.ts';

export function formatParagraphs(text: string): readonly Markup[] {
  const paragraphs = text.trim().split(/\r?\n\s*\r?\n/);
  return paragraphs.map((paragraph) => html`<p>${joinMarkup(paragraph.trim().split(/\r?\n/), html`<br>`)}</p>`);
}
