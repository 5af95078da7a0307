// Refusals and failures as pages, in the words of the API.

import { html } from '../../../packages/kit/markup.ts';
import type { AnswerShapes } from '../../../packages/web-server/answer-shapes.ts';
import { plainShapes } from '../../../packages/web-server/answer-shapes.ts';
import { type RequestError, textOf } from '../../../packages/web-server/request-error.ts';
import { framePage, type PageSite } from './page-frame.ts';

export const htmlType = 'text/html; charset=utf-8';

const headings: Readonly<Record<number, string>> = {
  400: 'This cannot be asked like that',
  404: 'Not found',
  429: 'Too many requests',
  501: 'Not to be had here',
  503: 'Not now',
};

/** The form of errors of pages. */
export function refusalShapes(site: PageSite): AnswerShapes {
  return { ...plainShapes, contentType: htmlType, formatErrorBody: (error) => formatRefusal(site, error) };
}

function formatRefusal(site: PageSite, { status, found }: RequestError): string {
  const heading = headings[status] ?? 'This went wrong';
  const sentences = found.map((refusal) => {
    const { detail, missing } = refusal.data ?? {};
    return html`<p>${missing ?? textOf(refusal)}${detail === undefined ? null : html` &ndash; ${detail}`}</p>`;
  });
  return framePage(site, {
    title: heading,
    main: html`<h1>${heading}</h1>
<div class="card">${sentences}
<p><a href="/">Back to the start</a></p></div>`,
  });
}
