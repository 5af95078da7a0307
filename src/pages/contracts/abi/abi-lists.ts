// What a checked ABI says of a contract: functions to ask, functions that write, events and errors, each list in parts.

import type { Abi, AbiError, AbiEvent, AbiFunction } from '../../../../packages/abi/abi.ts';
import { listFunctions } from '../../../../packages/abi/list-functions.ts';
import { html, type Markup, type MarkupValue } from '../../../../packages/kit/markup.ts';
import type { PageRequest } from '../../page/page.ts';
import { formatCount } from '../../parts/amounts.ts';
import { badge } from '../../parts/badge.ts';
import { code } from '../../parts/bytes.ts';
import { foreignText } from '../../parts/foreign-text.ts';
import { listWindow } from '../../parts/list-window.ts';
import { section } from '../../parts/section.ts';
import { functionForm, isRead, parameterName } from './function-form.ts';

export type ListedAbi = {
  /** Of the page. */
  path: string;
  abi: Abi;
  /** Selectors that its own sources have; null = there is no other contract behind it. */
  own: ReadonlySet<string> | null;
};

/** Of one part of a list. */
const readsShown = 15;
const othersShown = 25;
const maxSignature = 120;
const maxParameters = 8;
/** More are typed on a page of their own. */
const maxInputs = 4;

export function abiLists({ abi, ...listed }: ListedAbi, request: PageRequest): readonly Markup[] {
  const writes = abi.functions.filter((entry) => !isRead(entry));
  return [
    readsSection({ abi, ...listed }, request),
    listSection(
      { id: 'writes', title: 'Functions that change something', none: 'It has none.' },
      writes,
      request,
      (entry) => showWrite(entry, listed.own),
    ),
    listSection({ id: 'events', title: 'Events', none: 'It has none.' }, abi.events, request, showEvent),
    listSection({ id: 'errors', title: 'Errors', none: 'It has none of its own.' }, abi.errors, request, showError),
  ];
}

function readsSection({ path, abi, own }: ListedAbi, request: PageRequest): Markup {
  const reads = abi.functions.filter(isRead);
  return listSection(
    { id: 'reads', title: 'Functions that can be asked', none: 'It has none.', size: readsShown },
    reads,
    request,
    (entry) => showRead(path, entry, own),
  );
}

type ListOptions = { id: string; title: string; none: string; size?: number };

function listSection<T>(
  { id, title, none, size = othersShown }: ListOptions,
  entries: readonly T[],
  { path, queryText }: PageRequest,
  show: (entry: T) => MarkupValue,
): Markup {
  const { shown, pager } = listWindow(entries, { path, queryText }, { name: id, id, size });
  const list =
    entries.length === 0
      ? html`<p class="none">${none}</p>`
      : html`<ul class="entries">${shown.map((entry) => html`<li>${show(entry)}</li>\n`)}</ul>`;
  return section(
    { id, title: html`${title} <span class="faint">${formatCount(entries.length)}</span>` },
    html`${list}${pager}`,
  );
}

function showRead(path: string, entry: AbiFunction, own: ListedAbi['own']): Markup {
  const [listed] = listFunctions({ functions: [entry] });
  const href = `${path}?function=0x${entry.selector}#answer`;
  if (entry.inputs.length === 0 || entry.inputs.length > maxInputs) {
    return html`${head(entry, own)} <a href="${href}" rel="nofollow">${entry.inputs.length === 0 ? 'Ask' : 'Ask with arguments'}</a>`;
  }
  return html`<details><summary>${head(entry, own)}</summary>${functionForm(path, listed!)}</details>`;
}

function showWrite(entry: AbiFunction, own: ListedAbi['own']): Markup {
  return html`${head(entry, own)}${entry.mutability === 'payable' ? html` ${badge('plain', 'payable')}` : null}${parameters(entry)}`;
}

function head({ name, signature, selector }: AbiFunction, own: ListedAbi['own']): Markup {
  const behind = own !== null && !own.has(selector) ? html` ${badge('plain', 'of the implementation')}` : null;
  return html`<strong>${foreignText(name, { max: 60 })}</strong> <code class="faint">${foreignText(signature.slice(name.length), { max: maxSignature })}</code> <code class="faint">0x${selector}</code>${behind}`;
}

function showEvent({ name, topic, inputs, isAnonymous }: AbiEvent): Markup {
  const listed = inputs.slice(0, maxParameters).map(({ name: parameter, type, isIndexed }, place) => {
    const shown = parameterName({ name: parameter, type: type.text }, place);
    return html`<li>${shown}${isIndexed ? html` <span class="faint">indexed</span>` : null}</li>`;
  });
  return html`<strong>${foreignText(name, { max: 60 })}</strong>${isAnonymous ? html` ${badge('plain', 'anonymous')}` : html` ${code(`0x${topic}`)}`}${withRest(listed, inputs.length)}`;
}

function showError(entry: AbiError): Markup {
  return html`<strong>${foreignText(entry.name, { max: 60 })}</strong> <code class="faint">0x${entry.selector}</code>${parameters(entry)}`;
}

function parameters({ inputs }: Pick<AbiError, 'inputs'>): MarkupValue {
  const listed = inputs
    .slice(0, maxParameters)
    .map(({ name, type }, place) => html`<li>${parameterName({ name, type: type.text }, place)}</li>`);
  return withRest(listed, inputs.length);
}

function withRest(listed: readonly Markup[], count: number): MarkupValue {
  if (listed.length === 0) return null;
  const left = count - listed.length;
  return html`<ul class="inline">${listed}${left > 0 ? html`<li class="faint">&hellip; ${left} more</li>` : null}</ul>`;
}
