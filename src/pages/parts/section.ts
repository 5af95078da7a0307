// A part of a page under its own heading, which a link can name.
import { html, type Markup, type MarkupValue } from '../../../packages/kit/markup.ts';

type SectionOptions = {
  /** For links; one a page. */
  id: string;
  title: MarkupValue;
  /** Beside the heading: a link to all of a list, a count. */
  beside?: MarkupValue;
};

export function section({ id, title, beside = null }: SectionOptions, content: MarkupValue): Markup {
  return html`<section class="card" id="${id}" aria-labelledby="${`${id}-title`}">
<div class="head"><h2 id="${`${id}-title`}">${title}</h2>${beside === null ? null : html`<div class="beside">${beside}</div>`}</div>
${content}
</section>`;
}

/** Further pages about the same thing, of which this is one. `current`: the path of this page. */
export function tabs(name: string, pages: readonly { path: string; text: string }[], current: string): Markup {
  const items = pages.map(({ path, text }) =>
    path === current
      ? html`<li><a href="${path}" aria-current="page">${text}</a></li>`
      : html`<li><a href="${path}">${text}</a></li>`,
  );
  return html`<nav class="tabs" aria-label="${name}"><ul>${items}</ul></nav>`;
}

/** The heading of a page about one thing: its kind, its name, and marks of its state. */
export function heading(kind: string, name: MarkupValue, marks: MarkupValue = null): Markup {
  return html`<h1><span class="kind">${kind}</span> ${name} ${marks}</h1>`;
}
