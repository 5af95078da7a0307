// What an account holds, as rows: tokens, NFTs, airdrops that wait.
import { html } from '../../../packages/kit/markup.ts';
import { formatTimestamp } from '../../../packages/protocol/hapi/timestamp.ts';
import type { listAccountNfts } from '../../resources/accounts/list-account-nfts.ts';
import type { listAccountTokens } from '../../resources/accounts/list-account-tokens.ts';
import type { listPendingAirdrops } from '../../resources/accounts/list-airdrops.ts';
import type { ItemOf } from '../lists/list-page.ts';
import type { Links } from '../page/links.ts';
import type { PageContext } from '../page/page-context.ts';
import { badge } from '../parts/badge.ts';
import { hexBytes } from '../parts/bytes.ts';
import { idField } from '../parts/fields.ts';
import { foreignLink } from '../parts/foreign-link.ts';
import { foreignText } from '../parts/foreign-text.ts';
import type { Column, NarrowPlace } from '../parts/table.ts';
import { moment } from '../parts/times.ts';
import {
  amountOfToken,
  findTokenNames,
  plainTokenAmount,
  type TokenName,
  type TokenNames,
} from '../parts/token-names.ts';
import { plainSerial } from './account-rows.ts';

/** With the names of all tokens of its page. */
export type Named<Item> = Item & { tokenNames: TokenNames };

type Holding = Named<ItemOf<typeof listAccountTokens>>;
type HeldNft = Named<ItemOf<typeof listAccountNfts>>;
type Airdrop = Named<ItemOf<typeof listPendingAirdrops>>;
type OfToken = Named<{ tokenId: bigint | null }>;

/** Adds names to each item of a page. */
export async function withTokenNames<Item extends { tokenId: bigint | null }>(
  { items }: { items: readonly Item[] },
  context: PageContext,
): Promise<Named<Item>[]> {
  const tokenNames = await findTokenNames(
    context,
    items.map(({ tokenId }) => tokenId ?? 0n),
  );
  return items.map((item) => ({ ...item, tokenNames }));
}

/** `narrow`: their places where a narrow screen gives a row two lines. */
export function tokenColumnsOf(
  links: Links,
  narrow: Readonly<Record<'id' | 'name' | 'symbol', NarrowPlace>> = { id: 'start', name: 'title', symbol: 'none' },
): readonly Column<OfToken>[] {
  return [
    {
      name: 'Token',
      narrow: narrow.id,
      show: ({ tokenId }) => links.token(tokenId),
      fields: [idField('token_id', ({ tokenId }) => tokenId ?? 0n)],
    },
    {
      name: 'Name',
      narrow: narrow.name,
      show: (item) => foreignText(nameOf(item)?.name ?? '', { max: 60 }),
      fields: [{ name: 'name', text: (item) => nameOf(item)?.name ?? '', isForeign: true }],
    },
    {
      name: 'Symbol',
      narrow: narrow.symbol,
      show: (item) => foreignText(nameOf(item)?.symbol ?? '', { max: 20 }),
      fields: [{ name: 'symbol', text: (item) => nameOf(item)?.symbol ?? '', isForeign: true }],
    },
  ];
}

export function holdingColumns(links: Links): readonly Column<Holding>[] {
  return [
    ...tokenColumnsOf(links),
    {
      name: 'Balance',
      narrow: 'amount',
      isNumber: true,
      show: ({ tokenId, balance, tokenNames }) =>
        html`<span class="amount">${amountOfToken(tokenId ?? 0n, balance, tokenNames)}</span>`,
      fields: [
        { name: 'balance', text: (item) => plainTokenAmount(item.balance, nameOf(item)?.decimals ?? 0n) },
        { name: 'decimals', text: (item) => (nameOf(item)?.decimals ?? 0n).toString() },
      ],
    },
    {
      name: 'Associated',
      narrow: 'end',
      show: ({ createdTimestamp, automaticAssociation }) =>
        createdTimestamp === null
          ? null
          : html`${moment(createdTimestamp)}${automaticAssociation ? html` <span class="faint">automatically</span>` : null}`,
      fields: [
        {
          name: 'associated',
          text: ({ createdTimestamp }) => (createdTimestamp === null ? '' : formatTimestamp(createdTimestamp)),
        },
      ],
    },
    {
      name: 'State',
      isRare: true,
      narrow: 'below',
      show: ({ freezeStatus, kycStatus }) => [
        freezeStatus === frozen ? badge('warn', 'Frozen') : null,
        kycStatus === revoked ? html` ${badge('warn', 'No KYC')}` : null,
      ],
      fields: [
        { name: 'frozen', text: ({ freezeStatus }) => `${freezeStatus === frozen}` },
        { name: 'kyc_revoked', text: ({ kycStatus }) => `${kycStatus === revoked}` },
      ],
    },
  ];
}

/** Numbers of statuses, as the tables have them. */
const frozen = 1;
const revoked = 2;

export function nftColumns(links: Links): readonly Column<HeldNft>[] {
  return [
    ...tokenColumnsOf(links),
    {
      name: 'Serial',
      narrow: 'amount',
      isNumber: true,
      show: ({ tokenId, serialNumber }) => links.nft(tokenId ?? 0n, serialNumber),
      fields: [{ name: 'serial_number', text: ({ serialNumber }) => serialNumber.toString() }],
    },
    {
      name: 'Metadata',
      narrow: 'below',
      show: ({ metadata }) => showMetadata(metadata, links.start),
      fields: [
        { name: 'metadata', text: ({ metadata }) => readText(metadata) ?? '', isForeign: true },
        { name: 'metadata_hex', text: ({ metadata }) => Buffer.from(metadata ?? []).toString('hex') },
      ],
    },
    {
      name: 'Minted',
      narrow: 'end',
      show: ({ createdTimestamp }) => (createdTimestamp === null ? null : moment(createdTimestamp)),
      fields: [
        {
          name: 'created',
          text: ({ createdTimestamp }) => (createdTimestamp === null ? '' : formatTimestamp(createdTimestamp)),
        },
      ],
    },
    {
      name: 'May spend',
      isRare: true,
      narrow: 'below',
      narrowName: 'behind',
      show: ({ spender }) => links.account(spender),
      fields: [idField('spender', ({ spender }) => spender || null)],
    },
  ];
}

/** `other`: the party that the account is not. */
export function airdropColumns(links: Links, other: 'sender' | 'receiver'): readonly Column<Airdrop>[] {
  const otherId = (item: Airdrop): bigint | null => (other === 'sender' ? item.senderId : item.receiverId);
  return [
    {
      name: other === 'sender' ? 'From' : 'To',
      narrow: 'title',
      show: (item) => links.account(otherId(item)),
      fields: [idField(other, (item) => otherId(item) ?? 0n)],
    },
    ...tokenColumnsOf(links, { id: 'start', name: 'none', symbol: 'start' }),
    {
      name: 'Amount',
      narrow: 'amount',
      isNumber: true,
      show: ({ tokenId, serialNumber, amount, tokenNames }) =>
        serialNumber === null
          ? html`<span class="amount">${amountOfToken(tokenId ?? 0n, amount ?? 0n, tokenNames)}</span>`
          : links.nft(tokenId ?? 0n, serialNumber),
      fields: [
        {
          name: 'amount',
          text: (item) =>
            item.serialNumber === null ? plainTokenAmount(item.amount ?? 0n, nameOf(item)?.decimals ?? 0n) : '1',
        },
        { name: 'serial_number', text: ({ serialNumber }) => (serialNumber === null ? '' : plainSerial(serialNumber)) },
      ],
    },
    {
      name: 'Since',
      narrow: 'end',
      show: ({ timestamp }) => (timestamp.from === null ? null : moment(timestamp.from)),
      fields: [
        { name: 'since', text: ({ timestamp }) => (timestamp.from === null ? '' : formatTimestamp(timestamp.from)) },
      ],
    },
  ];
}

function nameOf({ tokenId, tokenNames }: OfToken): TokenName | undefined {
  return tokenNames.get(tokenId ?? 0n);
}

function showMetadata(bytes: Uint8Array | null, start: string) {
  const text = readText(bytes);
  return text === null ? hexBytes(bytes) : foreignLink(text, start, { max: 120 });
}

/** null = not text. */
function readText(bytes: Uint8Array | null): string | null {
  if (bytes === null) return '';
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null; // Anyone may have written any bytes: they are shown as hex.
  }
}
