// `/{network}/contract/:contractId/state`: the storage of a contract by slot, with the variables that a checked source
// has there.

import { toChecksumAddress } from '../../../../packages/abi/checksum-address.ts';
import { isJsonObject } from '../../../../packages/kit/is-json-object.ts';
import { html, type Markup, type MarkupValue } from '../../../../packages/kit/markup.ts';
import {
  fromLongZeroAddress,
  isLongZeroAddress,
  toLongZeroAddress,
} from '../../../../packages/protocol/hapi/evm-address.ts';
import { createSlotReader, type ReadSlot } from '../../../../packages/verification/layout/hashed-slots.ts';
import {
  readStorageVariable,
  type StorageValue,
  type StorageVariable,
} from '../../../../packages/verification/layout/storage-variables.ts';
import { listContractState } from '../../../resources/contracts/list-contract-state.ts';
import { listLogsOfContract } from '../../../resources/contracts/list-logs-of-contract.ts';
import { listResultsOfContract } from '../../../resources/contracts/list-results-of-contract.ts';
import { type ItemOf, itemsOfPage, listPage } from '../../lists/list-page.ts';
import { type Links, link } from '../../page/links.ts';
import type { PageRequest } from '../../page/page.ts';
import type { PageContext } from '../../page/page-context.ts';
import { formatCount } from '../../parts/amounts.ts';
import { code } from '../../parts/bytes.ts';
import { timeField } from '../../parts/fields.ts';
import { foreignText } from '../../parts/foreign-text.ts';
import type { Column } from '../../parts/table.ts';
import { moment } from '../../parts/times.ts';
import { behind, contractHeading } from '../about/contract-heading.ts';
import { contractName, contractParams, findContract, type ShownContract } from '../about/find-contract.ts';
import { logsOfPage, topicsOf } from '../lists/log-columns.ts';
import { resultsOfPage } from '../lists/result-columns.ts';

type Slot = ItemOf<typeof listContractState>;
type Subject = ShownContract & { variablesAt: ReadSlot };

const maxShown = 8;

async function findSubject(context: PageContext, request: PageRequest): Promise<Subject> {
  const shown = await findContract(context, request);
  const layout = findLayout(shown);
  return { ...shown, variablesAt: createSlotReader(layout, layout ? await findKeys(shown, context) : []) };
}

/** Newest of the contract's events, and calls, whose words may be keys of its mappings, as those of its constructor. */
const asked = 'limit=100';
const maxKeys = 60;
const maxWordsOfCall = 8;

async function findKeys({ id, address }: ShownContract, context: PageContext): Promise<Buffer[]> {
  const params = { contractIdOrAddress: contractName({ id }) };
  const [logs, results, given] = await Promise.all([
    context.ask(listLogsOfContract, { params, queryText: asked }),
    context.ask(listResultsOfContract, { params, queryText: asked }),
    wordsOfConstructor(context.sources, address),
  ]);
  const words = [
    ...given,
    ...logsOfPage(logs.found).flatMap((log) => topicsOf(log).slice(1)),
    ...resultsOfPage(results.found).flatMap(({ senderId, functionParameters: data }) => [
      ...(senderId === null ? [] : [toLongZeroAddress(senderId)]),
      ...Array.from({ length: maxWordsOfCall }, (_, n) => data.subarray(4 + 32 * n, 36 + 32 * n)),
    ]),
    Buffer.from(address.slice(2), 'hex'),
  ];
  const keys = new Map(words.flatMap((word) => (word.length === 0 ? [] : [[toNumber(word), toWord(word)] as const])));
  return [...keys.values()].slice(0, maxKeys);
}

/** What a checked contract was made with: its owner, say. */
async function wordsOfConstructor(sources: PageContext['sources'], address: string): Promise<Buffer[]> {
  const found = sources && (await sources.find(address));
  // Of another contract with the same code only the code is its own.
  const compilation = found?.similarTo === null ? await sources?.compilation(found) : null;
  const values: unknown = JSON.parse(compilation?.creationValues ?? 'null');
  const given = isJsonObject(values) ? values.constructorArguments : null;
  if (typeof given !== 'string') return [];
  const bytes = Buffer.from(given.slice(2), 'hex');
  const count = Math.min(maxWordsOfCall, Math.floor(bytes.length / 32));
  return Array.from({ length: count }, (_, n) => bytes.subarray(32 * n, 32 * n + 32));
}

/** A proxy keeps the variables of its implementation. */
function findLayout({ abi }: ShownContract): unknown {
  return (behind(abi?.proxy) ?? abi?.own)?.layout;
}

export const statePage = listPage({
  path: '/contract/:contractId/state',
  title: ({ params }) => `Storage of contract ${params.contractId}`,
  open: (request, context) => findSubject(context, request),
  heading: (_request, { links }, subject) => contractHeading(subject, 'state', links),
  endpoint: listContractState,
  params: contractParams,
  items: itemsOfPage,
  columns: ({ links }, _request, subject) => slotColumns(subject, links),
  filters: [{ name: 'slot', label: 'Slot in hex', placeholder: '0x0' }],
  none: 'It has stored nothing.',
});

function slotColumns({ variablesAt }: Subject, links: Links): readonly Column<Slot>[] {
  const ofSlot = ({ slot }: Slot): readonly StorageVariable[] => variablesAt(toNumber(slot));
  return [
    {
      name: 'Slot',
      narrow: 'title',
      show: ({ slot }) => html`<code>${shortWord(slot)}</code>`,
      fields: [{ name: 'slot', text: ({ slot }) => `0x${toWord(slot).toString('hex')}` }],
    },
    {
      name: 'Variables',
      isRare: true,
      narrow: 'below',
      show: (item) => showVariables(ofSlot(item), toWord(item.value)),
      fields: [
        {
          name: 'variables',
          text: (item) =>
            ofSlot(item)
              .map(({ name }) => name)
              .join(' '),
          isForeign: true,
        },
      ],
    },
    {
      name: 'Value',
      narrow: 'below',
      show: ({ value }) => code(`0x${toWord(value).toString('hex')}`),
      fields: [{ name: 'value', text: ({ value }) => `0x${toWord(value).toString('hex')}` }],
    },
    {
      name: 'Changed',
      narrow: 'amount',
      show: ({ timestamp }) => link(links.transactionPath(timestamp), moment(timestamp)),
      fields: [timeField('timestamp', ({ timestamp }) => timestamp)],
    },
  ];
}

function showVariables(variables: readonly StorageVariable[], word: Buffer): MarkupValue {
  const left = variables.length - maxShown;
  const shown = variables.slice(0, maxShown).map((variable) => {
    const value = readStorageVariable(variable, word);
    return html`<div>${foreignText(variable.name, { max: 60 })} <code class="faint">${foreignText(variable.type, { max: 60 })}</code>${value === null ? null : html` ${showValue(value)}`}</div>`;
  });
  return [...shown, left > 0 ? html`<div class="faint">&hellip; ${left} more</div>` : null];
}

function showValue({ kind, text }: StorageValue): Markup {
  switch (kind) {
    case 'number':
      return html`<strong>${formatCount(BigInt(text))}</strong>`;
    case 'bool':
      return html`<strong>${text}</strong>`;
    case 'length':
      return html`<span class="faint">${formatCount(BigInt(text))} long</span>`;
    case 'address': {
      const bytes = Buffer.from(text.slice(2), 'hex');
      const num = isLongZeroAddress(bytes) ? fromLongZeroAddress(bytes) : 0n;
      return html`<code>${toChecksumAddress(text)}</code>${num === 0n ? null : html` <span class="faint">number ${num}</span>`}`;
    }
    case 'text':
      return html`<q>${foreignText(text, { max: 40 })}</q>`;
    case 'bytes':
      return html`<code>${text}</code>`;
  }
}

function toWord(bytes: Uint8Array | null): Buffer {
  const buffer = Buffer.from(bytes ?? []);
  return buffer.length >= 32
    ? buffer.subarray(buffer.length - 32)
    : Buffer.concat([Buffer.alloc(32 - buffer.length), buffer]);
}

function toNumber(bytes: Uint8Array): bigint {
  return BigInt(`0x${toWord(bytes).toString('hex')}`);
}

/** Slots of variables are small numbers, those of lists and mappings are hashes. */
function shortWord(bytes: Uint8Array): string {
  const digits = toWord(bytes)
    .toString('hex')
    .replace(/^0+(?=.)/, '');
  return digits.length <= 20 ? `0x${digits}` : `0x${digits.slice(0, 8)}…${digits.slice(-8)}`;
}
