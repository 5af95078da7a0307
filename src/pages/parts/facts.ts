// What is known of one thing: names and values. A value that is null is left out.
import { html, joinMarkup, type Markup, type MarkupValue } from '../../../packages/kit/markup.ts';

export type Fact = readonly [name: MarkupValue, value: MarkupValue];

export function facts(list: readonly Fact[]): Markup {
  const shown = list.filter(([, value]) => value !== null && value !== '');
  return html`<dl class="facts">
${joinMarkup(
  shown.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`),
  '\n',
)}
</dl>`;
}
