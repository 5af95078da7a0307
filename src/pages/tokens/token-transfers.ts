// What happened to a token, as the events that it has in the EVM: the ledger gives each token those of ERC-20 or
// ERC-721, also for transfers that no contract made.
import { html, type MarkupValue } from '../../../packages/kit/markup.ts';
import { decodeEntityId, encodeEntityId, maxNum } from '../../../packages/protocol/hapi/entity-id.ts';
import { formatTimestamp } from '../../../packages/protocol/hapi/timestamp.ts';
import type { Token } from '../../ledger/tokens/create-tokens.ts';
import type { listLogsOfContract } from '../../resources/contracts/list-logs-of-contract.ts';
import type { ItemOf } from '../lists/list-page.ts';
import { type Links, link } from '../page/links.ts';
import { formatPlainFraction, tokenAmount } from '../parts/amounts.ts';
import type { Column } from '../parts/table.ts';
import { moment } from '../parts/times.ts';
import { isUnique } from './token-heading.ts';

export type TokenEventLog = ItemOf<typeof listLogsOfContract>;

const events: Readonly<Record<string, string>> = {
  ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef: 'Transfer',
  '8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925': 'Approval',
  '17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31': 'Approval for all',
};

export function tokenEventColumns(token: Token, links: Links): readonly Column<TokenEventLog>[] {
  const { tokenId, decimals } = token;
  const party = (topic: Buffer | null, none: string): MarkupValue => {
    const address = toAddress(topic);
    if (address === null) return html`<span class="faint">${none}</span>`;
    const id = idOf(address, tokenId);
    const shown = html`0x${address.slice(0, 8)}&hellip;${address.slice(-6)}`;
    return id === null ? link(`${links.start}/account/0x${address}`, shown) : links.account(id);
  };
  return [
    {
      name: 'Time',
      narrow: 'end',
      show: ({ consensusTimestamp }) =>
        html`<a href="${links.transactionPath(consensusTimestamp)}">${moment(consensusTimestamp)}</a>`,
      fields: [{ name: 'consensus_timestamp', text: ({ consensusTimestamp }) => formatTimestamp(consensusTimestamp) }],
    },
    {
      name: 'Event',
      narrow: 'title',
      show: (log) => eventOf(log) ?? html`<code>0x${log.topic0?.toString('hex').slice(0, 8) ?? ''}&hellip;</code>`,
      fields: [{ name: 'event', text: (log) => eventOf(log) ?? '' }],
    },
    {
      name: 'From',
      narrow: 'start',
      show: ({ topic1 }) => party(topic1, 'minted'),
      fields: [{ name: 'from', text: ({ topic1 }) => textOf(topic1) }],
    },
    {
      name: 'To',
      narrow: 'to',
      show: ({ topic2 }) => party(topic2, 'burned'),
      fields: [{ name: 'to', text: ({ topic2 }) => textOf(topic2) }],
    },
    isUnique(token)
      ? {
          name: 'Serial number',
          narrow: 'amount',
          isNumber: true,
          show: ({ topic3 }: TokenEventLog) => (topic3 === null ? null : `#${toNumber(topic3)}`),
          fields: [
            { name: 'serial_number', text: ({ topic3 }) => (topic3 === null ? '' : toNumber(topic3).toString()) },
          ],
        }
      : {
          name: 'Amount',
          narrow: 'amount',
          isNumber: true,
          show: ({ data }: TokenEventLog) => tokenAmount(toNumber(data), decimals),
          fields: [{ name: 'amount', text: ({ data }) => formatPlainFraction(toNumber(data), Number(decimals)) }],
        },
  ];
}

function eventOf({ topic0 }: TokenEventLog): string | null {
  return topic0 === null ? null : (events[topic0.toString('hex')] ?? null);
}

/** 40 digits; null = no account. Stored without leading zeros. */
function toAddress(topic: Buffer | null): string | null {
  const digits = (topic ?? Buffer.alloc(0)).toString('hex').padStart(40, '0').slice(-40);
  return /^0*$/.test(digits) ? null : digits;
}

/** Long-zero addresses are numbers of accounts, in the realm of the token. */
function idOf(address: string, tokenId: bigint): bigint | null {
  const num = /^0{24}/.test(address) ? BigInt(`0x${address}`) : 0n;
  if (num === 0n || num > maxNum) return null;
  const { shard, realm } = decodeEntityId(tokenId);
  return encodeEntityId(shard, realm, num);
}

function textOf(topic: Buffer | null): string {
  const address = toAddress(topic);
  return address === null ? '' : `0x${address}`;
}

function toNumber(bytes: Buffer | null): bigint {
  return bytes === null || bytes.length === 0 ? 0n : BigInt(`0x${bytes.toString('hex')}`);
}
