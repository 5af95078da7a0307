// Results of a contract as rows: which function was called by whom, and how it ended.

import type { Abi } from '../../../../packages/abi/abi.ts';
import { decodeCreation } from '../../../../packages/abi/decode-call.ts';
import type { DecodedCall } from '../../../../packages/abi/decoded-value.ts';
import { html, type MarkupValue } from '../../../../packages/kit/markup.ts';
import { responseCodeName } from '../../../../packages/protocol/hapi/response-codes.ts';
import { readCall } from '../../../calls/names/usual-names.ts';
import type { Ledger } from '../../../ledger/ledger.ts';
import { type Links, link } from '../../page/links.ts';
import { formatCount, formatPlainFraction, hbar } from '../../parts/amounts.ts';
import { resultBadge } from '../../parts/badge.ts';
import { argumentsJson, briefCall, knownBy } from '../../parts/brief-call.ts';
import { code, hexBytes } from '../../parts/bytes.ts';
import { idField, timeField } from '../../parts/fields.ts';
import type { Column } from '../../parts/table.ts';
import { moment } from '../../parts/times.ts';
import type { ShownContract } from '../about/find-contract.ts';

export type ContractResultItem = Awaited<ReturnType<Ledger['contractResults']['listOf']>>['items'][number];

/** The endpoint finds what the ledger lists, of which its answer needs less. */
export function resultsOfPage({ items }: { items: readonly unknown[] }): readonly ContractResultItem[] {
  return items as readonly ContractResultItem[];
}

const selectorBytes = 4;

/** null = neither the ABI nor a usual name says what was called. */
function readResult(item: ContractResultItem, shown: ShownContract): DecodedCall | null {
  const { functionParameters: data } = item;
  const abi: Abi | undefined = shown.abi?.abi;
  if (!isCreation(item, shown)) return readCall(abi, data);
  if (abi === undefined) return null;
  // An Ethereum transaction has the code before the arguments, whose end is not stated.
  return data.length % 32 === 0 && !/^60[68]0/.test(data.toString('hex', 0, 2)) ? decodeCreation(abi, data) : null;
}

function isCreation({ createdContractIds }: ContractResultItem, { id }: ShownContract): boolean {
  return createdContractIds?.includes(id) ?? false;
}

export function resultColumns(shown: ShownContract, links: Links): readonly Column<ContractResultItem>[] {
  return [
    {
      name: 'Time',
      narrow: 'end',
      show: ({ consensusTimestamp }) => link(links.transactionPath(consensusTimestamp), moment(consensusTimestamp)),
      fields: [
        timeField('consensus_timestamp', ({ consensusTimestamp }) => consensusTimestamp),
        { name: 'transaction_hash', text: ({ transactionHash }) => toHexText(transactionHash) },
      ],
    },
    {
      name: 'Function',
      narrow: 'title',
      show: (item) => calledFunction(item, shown),
      fields: [
        { name: 'function', text: (item) => readResult(item, shown)?.signature ?? '', isForeign: true },
        { name: 'selector', text: (item) => (isCreation(item, shown) ? '' : selectorOf(item)) },
        {
          name: 'arguments',
          text(item) {
            const call = readResult(item, shown);
            return call === null ? '' : argumentsJson(call);
          },
          isForeign: true,
        },
        { name: 'function_known_by', text: (item) => knownBy(readResult(item, shown)) },
        { name: 'input', text: ({ functionParameters }) => toHexText(functionParameters) },
      ],
    },
    {
      name: 'From',
      narrow: 'start',
      show: ({ senderId, senderAlias }) => links.account(senderId) ?? hexBytes(senderAlias),
      fields: [
        idField('from', ({ senderId }) => senderId),
        { name: 'from_address', text: ({ senderAlias }) => toHexText(senderAlias) },
      ],
    },
    {
      name: 'Result',
      narrow: 'start',
      show: ({ transactionResult }) => resultBadge(transactionResult),
      fields: [
        { name: 'result', text: ({ transactionResult }) => responseCodeName(transactionResult) },
        { name: 'error', text: ({ errorMessage }) => errorMessage ?? '', isForeign: true },
        { name: 'output', text: ({ callResult }) => toHexText(callResult) },
      ],
    },
    {
      name: 'Sent along',
      isRare: true,
      narrow: 'amount',
      isNumber: true,
      show: ({ amount }) => (amount === null || amount === 0n ? null : hbar(amount)),
      fields: [{ name: 'amount_hbar', text: ({ amount }) => (amount === null ? '' : formatPlainFraction(amount, 8)) }],
    },
    {
      name: 'Gas',
      narrow: 'none',
      isNumber: true,
      show: ({ gasUsed }) => (gasUsed === null ? null : formatCount(gasUsed)),
      fields: [
        { name: 'gas_used', text: ({ gasUsed }) => (gasUsed === null ? '' : String(gasUsed)) },
        { name: 'gas_limit', text: ({ gasLimit }) => String(gasLimit) },
      ],
    },
  ];
}

function calledFunction(item: ContractResultItem, shown: ShownContract): MarkupValue {
  const call = readResult(item, shown);
  if (isCreation(item, shown)) return html`created ${call === null ? null : briefCall(call)}`;
  if (call !== null) return briefCall(call);
  const selector = selectorOf(item);
  return selector === '' ? html`<span class="faint">no data</span>` : code(selector);
}

function selectorOf({ functionParameters: data }: ContractResultItem): string {
  return data.length < selectorBytes ? '' : `0x${data.toString('hex', 0, selectorBytes)}`;
}

function toHexText(bytes: Buffer | null): string {
  return bytes?.length ? `0x${bytes.toString('hex')}` : '';
}
