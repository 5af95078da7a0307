// Logs of a transaction, read with checked ABIs where there are some, else by the names of events.

import type { Abi } from '../../../packages/abi/abi.ts';
import { html, type Markup, type MarkupValue } from '../../../packages/kit/markup.ts';
import type { LogOfResult } from '../../../packages/store/read/select-contract-logs.ts';
import { readLog } from '../../calls/names/usual-names.ts';
import type { Links } from '../page/links.ts';
import type { PageRequest } from '../page/page.ts';
import { formatCount } from '../parts/amounts.ts';
import { code, hexBytes } from '../parts/bytes.ts';
import { callName, decodedValues } from '../parts/decoded-call.ts';
import { listWindow } from '../parts/list-window.ts';

/** Of a part of the list. */
export const logsShown = 5;
const maxData = 128;
const roomForValues = { values: 12, markup: 400 };

function topicsOf({ topic0, topic1, topic2, topic3 }: LogOfResult): Buffer[] {
  return [topic0, topic1, topic2, topic3].filter((topic) => topic !== null);
}

/** null = there are none. */
export function logsPart(
  logs: readonly LogOfResult[],
  abis: ReadonlyMap<bigint, Abi>,
  request: PageRequest,
  links: Links,
): Markup | null {
  if (logs.length === 0) return null;
  const { shown, pager } = listWindow(logs, request, { name: 'logs', id: 'logs', size: logsShown });
  const items = shown.map((log) => html`<li>${showLog(log, abis.get(log.contractId), links)}</li>`);
  return html`<h3 id="logs">Logs <span class="faint">${formatCount(logs.length)}</span></h3>
<ol class="entries">${items}</ol>${pager}`;
}

function showLog(log: LogOfResult, abi: Abi | undefined, links: Links): MarkupValue {
  const topics = topicsOf(log);
  const decoded = readLog(abi, topics, log.data);
  const raw = html`<ul class="values">${topics.map((topic, at) => html`<li><span class="name">topic ${at}</span> ${code(`0x${topic.toString('hex').padStart(64, '0')}`)}</li>`)}<li><span class="name">data</span> ${hexBytes(log.data, { max: maxData, none: html`<span class="faint">none</span>` })}</li></ul>`;
  const head = html`<span class="faint">#${log.index}</span> of ${links.contract(log.contractId)}`;
  if (decoded === null) return html`${head}${raw}`;
  const values =
    decoded.arguments.length === 0 ? null : decodedValues(decoded.arguments, 'Values of the log', roomForValues);
  return html`${head} ${callName(decoded)}${values}<details><summary>Topics and data</summary>${raw}</details>`;
}
