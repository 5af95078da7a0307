// `/{network}/token/{tokenId}`: what a token is, how much there is of it, who holds it, what it costs to move it.
import { html, joinMarkup, type Markup, type MarkupValue } from '../../../packages/kit/markup.ts';
import { toLongZeroAddress } from '../../../packages/protocol/hapi/evm-address.ts';
import type { TokenTotalRow } from '../../../packages/store/read/select-token-totals.ts';
import type { Token } from '../../ledger/tokens/create-tokens.ts';
import { listLogsOfContract } from '../../resources/contracts/list-logs-of-contract.ts';
import { getToken } from '../../resources/tokens/get-token.ts';
import { listTokenNfts } from '../../resources/tokens/list-token-nfts.ts';
import { pathOfJson } from '../lists/list-page.ts';
import { askTogether } from '../page/ask-together.ts';
import { type Links, link } from '../page/links.ts';
import type { Page } from '../page/page.ts';
import type { PageContext } from '../page/page-context.ts';
import { typedId } from '../page/typed-id.ts';
import { formatCount, tokenAmount } from '../parts/amounts.ts';
import { code } from '../parts/bytes.ts';
import { decodedBytes } from '../parts/decoded-bytes.ts';
import { facts } from '../parts/facts.ts';
import { foreignText } from '../parts/foreign-text.ts';
import { keyTree } from '../parts/key-tree.ts';
import { section } from '../parts/section.ts';
import { table } from '../parts/table.ts';
import { timeChart } from '../parts/time-chart.ts';
import { exactMoment, formatDuration } from '../parts/times.ts';
import { largestHolders } from './holders-section.ts';
import { nftColumns } from './nft-columns.ts';
import { tokenFees } from './token-fees.ts';
import { isUnique, tokenHeading } from './token-heading.ts';
import { tokenEventColumns } from './token-transfers.ts';

const brief = 10;
/** Points of the chart. */
const maxSupplies = 500;

export const tokenPage: Page = {
  path: '/token/:tokenId',
  ask: ({ params, path }, context) => context.snapshot((inner) => showToken(params.tokenId!, path, inner)),
};

async function showToken(id: string, path: string, { ask, ledger, links, settings }: PageContext) {
  const params = { tokenId: id };
  const asked = ask(getToken, { params });
  const tokenId = typedId(id, settings.system) ?? (await asked).found.tokenId;
  const queryText = `limit=${brief}`;
  const [{ found: token }, [total = null], versions, newestEnd, holders, events, minted] = await askTogether([
    asked,
    ledger.tokens.totals([tokenId]),
    ledger.tokens.listSupplies(tokenId, maxSupplies),
    ledger.newestEnd(),
    ledger.tokens.largestHolders(tokenId, brief),
    ask(listLogsOfContract, { params: { contractIdOrAddress: id }, queryText }),
    asked.then(({ found }) => (isUnique(found) ? ask(listTokenNfts, { params, queryText }) : null)),
  ]);
  const nfts = minted?.found.items ?? null;
  const own = links.path('token', tokenId);
  const all = (part: string, text: string) => link(`${own}/${part}`, text);
  return {
    title: `Token ${token.name.slice(0, 60)}`,
    json: pathOfJson(getToken, params),
    main: html`${tokenHeading(token, links, path)}
<div class="grid"><div>${section({ id: 'facts', title: 'Facts' }, tokenFacts(token, total, links))}
${section({ id: 'fees', title: 'Custom fees' }, tokenFees(token, links))}</div>
<div>${section({ id: 'supply', title: 'Supply' }, supplyOf(token, { versions, newestEnd }))}
${section({ id: 'holders', title: 'Largest holders', beside: all('holders', 'All holders') }, largestHolders(token, holders, links))}</div></div>
${nfts === null ? null : section({ id: 'nfts', title: 'Newest NFTs', beside: all('nfts', 'All NFTs') }, table(nftColumns(links), nfts, { caption: 'Newest NFTs', none: 'None has been minted.' }))}
${section(
  { id: 'transfers', title: 'Newest transfers', beside: all('transfers', 'All transfers') },
  table(tokenEventColumns(token, links), events.found.items, {
    caption: 'Newest transfers',
    none: 'No transfer is known here.',
  }),
)}
${section({ id: 'keys', title: 'Keys' }, tokenKeys(token, links))}`,
  };
}

/** `total`: null = it was not moved, as far as that is counted. */
function tokenFacts(token: Token, total: TokenTotalRow | null, links: Links): Markup {
  const { tokenId, type, decimals, createdTimestamp, modifiedTimestamp, autoRenewPeriod, expiryTimestamp, memo } =
    token;
  return facts([
    ['Id', code(links.idText(tokenId))],
    ['EVM address', code(`0x${Buffer.from(toLongZeroAddress(tokenId)).toString('hex')}`)],
    [
      'Kind',
      type === 'NON_FUNGIBLE_UNIQUE' ? 'Non-fungible: each unit is one of its own' : `Fungible, ${decimals} decimals`,
    ],
    ['Treasury', links.account(token.treasuryAccountId)],
    ['Holders', total && total.holders !== null ? formatCount(total.holders) : null],
    [
      'Transfers',
      total &&
        html`${formatCount(total.transfers)} <span class="faint">${total.transfers === 1n ? 'transaction' : 'transactions'}</span>`,
    ],
    ['Created', html`<a href="${links.transactionPath(createdTimestamp)}">${exactMoment(createdTimestamp)}</a>`],
    ['Changed', modifiedTimestamp === createdTimestamp ? null : exactMoment(modifiedTimestamp)],
    ['Expires', expiryTimestamp === null ? null : exactMoment(expiryTimestamp)],
    ['Renewed by', links.account(token.autoRenewAccount)],
    ['Renewed for', autoRenewPeriod === null ? null : formatDuration(autoRenewPeriod)],
    ['Memo', foreignText(memo)],
    ['Metadata', token.metadata === null || token.metadata.length === 0 ? null : decodedBytes(token.metadata).shown],
    ['New holders', token.freezeKey === null ? null : token.freezeDefault ? 'are frozen at first' : 'are not frozen'],
  ]);
}

type Versions = Awaited<ReturnType<PageContext['ledger']['tokens']['listSupplies']>>;
type Supplies = { versions: Versions; newestEnd: bigint | null };

/**
 * What there was at the beginning, at each change of the token, and now. The ledger keeps no version for a mint or a
 * burn, but changes the newest one: a version has what there was when the block began in which the next one did.
 */
function supplyPoints({ createdTimestamp, initialSupply, totalSupply }: Token, { versions, newestEnd }: Supplies) {
  const oldestFirst = versions.toReversed();
  const [first, last] = [oldestFirst[0], oldestFirst.at(-1)];
  if (first === undefined || last === undefined) return [];
  const beginning = first.since === createdTimestamp ? [{ at: first.since, value: BigInt(initialSupply) }] : [];
  const changes = oldestFirst
    .slice(1)
    .map(({ since }, index) => ({ at: since, value: oldestFirst[index]!.totalSupply }));
  const now = newestEnd !== null && newestEnd > last.since ? newestEnd : last.since;
  return [...beginning, ...changes, { at: now, value: totalSupply }];
}

function supplyOf(token: Token, supplies: Supplies): Markup {
  const { decimals, totalSupply, maxSupply, supplyType, initialSupply } = token;
  const amount = (value: bigint | number): MarkupValue => tokenAmount(BigInt(value), decimals);
  const points = supplyPoints(token, supplies);
  return html`${facts([
    ['Now', html`<strong>${amount(totalSupply)}</strong>`],
    ['At the beginning', amount(initialSupply)],
    ['At most', supplyType === 'FINITE' ? amount(maxSupply) : 'Without limit'],
  ])}
${timeChart({ id: 'supply-chart', title: 'Supply over time', points, shape: 'line', format: amount, unit: 'Supply' })}`;
}

function tokenKeys(token: Token, links: Links): Markup {
  const keys = [
    ['Admin', 'changes and deletes the token', token.adminKey],
    ['Supply', 'mints and burns', token.supplyKey],
    ['Wipe', 'takes units from an account', token.wipeKey],
    ['Freeze', 'stops an account from moving it', token.freezeKey],
    ['KYC', 'admits accounts', token.kycKey],
    ['Pause', 'stops all of it', token.pauseKey],
    ['Fee schedule', 'changes the custom fees', token.feeScheduleKey],
    ['Metadata', 'changes metadata', token.metadataKey],
  ] as const;
  const held = keys.filter(([, , key]) => key !== null);
  const lacking = keys.filter(([, , key]) => key === null).map(([name, what]) => `${name} (${what})`);
  return html`${facts(held.map(([name, what, key]) => [html`${name} <span class="faint">${what}</span>`, keyTree(key, links)]))}
${lacking.length === 0 ? null : html`<p class="faint">Nobody has these keys: ${joinMarkup(lacking, ', ')}.</p>`}`;
}
