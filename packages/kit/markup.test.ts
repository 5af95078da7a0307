import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { html, joinMarkup, type MarkupValue, trustedMarkup } from './markup.ts';

describe('html', () => {
  it.each<[string, MarkupValue, string]>([
    ['text', '<b> & "c"', '&#60;b&#62; &#38; &#34;c&#34;'],
    ['a sign that pages write', '−5 ℏ … é', '&#8722;5 &#8463; &#8230; é'],
    ['a number', 9007199254740993n, '9007199254740993'],
    ['markup', html`<b>${'<'}</b>`, '<b>&#60;</b>'],
    ['trusted markup', trustedMarkup('<br>'), '<br>'],
    ['a list', [html`<i>1</i>`, '<', 2], '<i>1</i>&#60;2'],
    ['nothing', null, ''],
    ['lines', joinMarkup([html`<li>1</li>`, '&'], '\n'), '<li>1</li>\n&#38;'],
  ])('inserts %s', (_name, value, markup) => expect(String(html`<p>${value}</p>`)).toBe(`<p>${markup}</p>`));

  it('keeps every character of a text, most of them as they are', () => {
    const signs = fc.constantFrom(...'ab&<>"\'−ℏ…é€\u{1f600}');
    const read = (markup: string): string =>
      markup.replace(/&#(\d+);/g, (_all, code: string) => String.fromCodePoint(Number(code)));
    fc.assert(
      fc.property(fc.string({ unit: signs, maxLength: 30 }), (text) => {
        expect(read(html`${text}`.markup)).toBe(text);
        expect(html`${text.replaceAll(/[^abé€\u{1f600}]/gu, '')}`.markup).not.toContain('&');
      }),
    );
  });

  it('lets no text out of its place', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(html`${text}`.markup).not.toMatch(/[<>"']|&(?!#\d+;)/);
      }),
    );
  });
});
