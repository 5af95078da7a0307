// Values inside of values as nested lists: bodies of transactions, arguments of calls, calls inside of calls.
import { html, joinMarkup, type Markup, type MarkupValue } from '../../../packages/kit/markup.ts';

export type TreeValue = {
  /** Empty for an item of a list. */
  name: MarkupValue;
  /** Beside the name; null = what is inside says it all. */
  value: MarkupValue;
  inside?: readonly TreeValue[];
};

/** `name`: what the tree is of, for people who cannot see it. */
export function valueTree(values: readonly TreeValue[], name: string): Markup {
  return html`<ul class="values" aria-label="${name}">${values.map(branch)}</ul>`;
}

function branch({ name, value, inside = [] }: TreeValue): Markup {
  const parts = [name === '' ? null : html`<span class="name">${name}</span>`, value].filter((part) => part !== null);
  return html`<li>${joinMarkup(parts, ' ')}${inside.length === 0 ? null : html`<ul>${inside.map(branch)}</ul>`}</li>`;
}
