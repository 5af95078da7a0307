// Calls inside of a transaction as a tree: who called whom with what, and how it ended.

import type { Abi } from '../../../packages/abi/abi.ts';
import { html, type Markup, type MarkupValue } from '../../../packages/kit/markup.ts';
import type { ContractActionRow } from '../../../packages/store/read/select-contract-actions.ts';
import { readCall } from '../../calls/names/usual-names.ts';
import type { Links } from '../page/links.ts';
import type { PageRequest } from '../page/page.ts';
import { formatCount, hbar } from '../parts/amounts.ts';
import { badge } from '../parts/badge.ts';
import { code, hexBytes } from '../parts/bytes.ts';
import { callName } from '../parts/decoded-call.ts';
import { revertWords } from '../parts/revert-words.ts';
import { type TreeValue, valueTree } from '../parts/value-tree.ts';

export type InnerCalls = {
  /** By index. */
  shown: readonly InnerCall[];
  /** Index of the first. */
  start: number;
  hasMore: boolean;
};

type InnerCall = Pick<ContractActionRow, (typeof callMembers)[number]>;

export const callMembers = [
  ...([
    'callDepth',
    'callOperationType',
    'callType',
    'caller',
    'callerType',
    'gas',
    'gasUsed',
    'index',
    'input',
  ] as const),
  ...(['recipientAccount', 'recipientAddress', 'recipientContract', 'resultData', 'resultDataType', 'value'] as const),
] as const;

/** Of a part of the list. */
export const callsShown = 8;
const maxBytes = 64;
const selectorBytes = 4;

/** null = there are none. */
export function callsPart(
  { shown, start, hasMore }: InnerCalls,
  abis: ReadonlyMap<bigint, Abi>,
  links: Links,
  { path }: PageRequest,
): Markup | null {
  if (shown.length === 0 && start === 0) return null;
  const tree = nest(shown).map((branch) => toTree(branch, abis, links));
  const first = start === 0 ? null : html`<a href="${path}#calls">First calls</a>`;
  const next = hasMore
    ? html`<a href="${`${path}?calls=${start + callsShown}#calls`}" rel="next">Next calls</a>`
    : null;
  const pager =
    first === null && next === null
      ? null
      : html`<nav class="pager" aria-label="Parts of the list of calls">${first}${next}</nav>`;
  return html`<h3 id="calls">Calls inside</h3>
${shown.length === 0 ? html`<p class="none">There are no further calls.</p>` : valueTree(tree, 'Calls inside of the transaction')}${pager}`;
}

type Branch = { call: InnerCall; inside: Branch[] };

/** A call is inside of the last one before it that is less deep. */
function nest(calls: readonly InnerCall[]): Branch[] {
  const roots: Branch[] = [];
  const open: Branch[] = [];
  for (const call of calls) {
    while (open.length > 0 && open.at(-1)!.call.callDepth >= call.callDepth) open.pop();
    const branch = { call, inside: [] };
    (open.at(-1)?.inside ?? roots).push(branch);
    open.push(branch);
  }
  return roots;
}

/** By their numbers in ContractAction. */
const operations = ['call', 'call', 'call of code', 'delegated call', 'static call', 'creation', 'creation (CREATE2)'];
/** Their input is code. */
const firstCreation = operations.indexOf('creation');
const resultKinds: Readonly<Record<number, string>> = { 12: 'reverted', 13: 'failed' };

function toTree({ call, inside }: Branch, abis: ReadonlyMap<bigint, Abi>, links: Links): TreeValue {
  const { callOperationType, gasUsed, value, resultDataType } = call;
  const recipient = call.recipientContract ?? call.recipientAccount;
  const abi = recipient === null ? undefined : abis.get(recipient);
  const failure = resultKinds[resultDataType];
  return {
    name: '',
    value: html`${badge('plain', operations[callOperationType ?? 0] ?? 'call')} ${callerOf(call, links)} &rarr; ${recipientOf(call, links)} ${functionOf(call, abi)}${value === 0n ? null : html` with ${hbar(value)}`} <span class="faint">${formatCount(gasUsed)} gas</span> ${failure === undefined ? null : badge('bad', failure)}${dataOf(call, failure !== undefined, abi ?? null)}`,
    inside: inside.map((branch) => toTree(branch, abis, links)),
  };
}

function callerOf({ caller, callerType }: InnerCall, links: Links): MarkupValue {
  return (callerType === 'CONTRACT' ? links.contract(caller) : links.account(caller)) ?? 'unknown';
}

function recipientOf({ recipientContract, recipientAccount, recipientAddress }: InnerCall, links: Links): MarkupValue {
  return links.contract(recipientContract) ?? links.account(recipientAccount) ?? hexBytes(recipientAddress) ?? 'nobody';
}

function functionOf({ input, callOperationType }: InnerCall, abi: Abi | undefined): MarkupValue {
  if (!input?.length || (callOperationType ?? 0) >= firstCreation) return null;
  const decoded = readCall(abi, input);
  if (decoded !== null) return callName(decoded);
  return input.length < selectorBytes ? null : code(`0x${input.toString('hex', 0, selectorBytes)}`);
}

function dataOf({ input, resultData }: InnerCall, isFailure: boolean, abi: Abi | null): MarkupValue {
  if (!input?.length && !resultData?.length) return null;
  const none = html`<span class="faint">none</span>`;
  const words = isFailure && resultData ? revertWords(abi, resultData) : null;
  return html`<details><summary>Data</summary><ul class="values"><li><span class="name">input</span> ${hexBytes(input, { max: maxBytes, none })}</li><li><span class="name">result</span> ${words} ${hexBytes(resultData, { max: maxBytes, none })}</li></ul></details>`;
}
