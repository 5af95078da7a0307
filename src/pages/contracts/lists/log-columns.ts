// Logs of a contract as rows: the event and its values, as the checked ABI reads them, or by its name.

import type { DecodedCall } from '../../../../packages/abi/decoded-value.ts';
import { html, type MarkupValue } from '../../../../packages/kit/markup.ts';
import { readLog } from '../../../calls/names/usual-names.ts';
import type { Ledger } from '../../../ledger/ledger.ts';
import { type Links, link } from '../../page/links.ts';
import { argumentsJson, briefCall, knownBy } from '../../parts/brief-call.ts';
import { hexBytes } from '../../parts/bytes.ts';
import { idField, timeField } from '../../parts/fields.ts';
import type { Column, Field } from '../../parts/table.ts';
import { moment } from '../../parts/times.ts';
import type { ShownContract } from '../about/find-contract.ts';

export type ContractLogItem = Awaited<ReturnType<Ledger['contractLogs']['list']>>['items'][number];

/** The endpoint finds what the ledger lists, of which its answer needs less. */
export function logsOfPage({ items }: { items: readonly unknown[] }): readonly ContractLogItem[] {
  return items as readonly ContractLogItem[];
}

export function topicsOf({ topic0, topic1, topic2, topic3 }: ContractLogItem): Buffer[] {
  return [topic0, topic1, topic2, topic3].filter((topic) => topic !== null);
}

function readItem(item: ContractLogItem, { abi }: ShownContract): DecodedCall | null {
  return readLog(abi?.abi, topicsOf(item), item.data);
}

export function logColumns(shown: ShownContract, links: Links): readonly Column<ContractLogItem>[] {
  const topicFields = [0, 1, 2, 3].map(
    (place): Field<ContractLogItem> => ({
      name: `topic${place}`,
      text(item) {
        const topic = topicsOf(item)[place];
        return topic === undefined ? '' : toWordText(topic);
      },
    }),
  );
  return [
    {
      name: 'Time',
      narrow: 'end',
      show: ({ consensusTimestamp }) =>
        link(`${links.transactionPath(consensusTimestamp)}#logs`, moment(consensusTimestamp)),
      fields: [
        timeField('consensus_timestamp', ({ consensusTimestamp }) => consensusTimestamp),
        { name: 'index', text: ({ index }) => String(index) },
        {
          name: 'transaction_hash',
          text: ({ transactionHash }) => (transactionHash?.length ? `0x${transactionHash.toString('hex')}` : ''),
        },
      ],
    },
    {
      name: 'Event',
      narrow: 'title',
      show: (item) => eventOf(item, shown),
      fields: [
        { name: 'event', text: (item) => readItem(item, shown)?.signature ?? '', isForeign: true },
        {
          name: 'arguments',
          text(item) {
            const log = readItem(item, shown);
            return log === null ? '' : argumentsJson(log);
          },
          isForeign: true,
        },
        { name: 'event_known_by', text: (item) => knownBy(readItem(item, shown)) },
      ],
    },
    {
      name: 'Called first',
      isRare: true,
      narrow: 'start',
      show: ({ rootContractId }) => (rootContractId === shown.id ? null : links.contract(rootContractId)),
      fields: [
        idField('root_contract_id', ({ rootContractId }) => rootContractId),
        ...topicFields,
        { name: 'data', text: ({ data }) => (data.length === 0 ? '' : `0x${data.toString('hex')}`) },
      ],
    },
    { name: 'Place', narrow: 'amount', isNumber: true, show: ({ index }) => `#${index}` },
  ];
}

const maxData = 96;

function eventOf(item: ContractLogItem, shown: ShownContract): MarkupValue {
  const log = readItem(item, shown);
  if (log !== null) return briefCall(log);
  const [first] = topicsOf(item);
  const topic =
    first === undefined ? html`<span class="faint">no topic</span>` : html`<code>${toWordText(first)}</code>`;
  return html`${topic}${item.data.length === 0 ? null : html` ${hexBytes(item.data, { max: maxData, folded: 32 })}`}`;
}

/** Topics are stored without leading zeros. */
function toWordText(topic: Buffer): string {
  return `0x${topic.toString('hex').padStart(64, '0')}`;
}
