// The ledger as the chain that Ethereum clients know: blocks with their executions, and the state of accounts and
// contracts now and as of a block.

import { anyRange } from '../../../packages/kit/range.ts';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import { fromLongZeroAddress, isLongZeroAddress } from '../../../packages/protocol/hapi/evm-address.ts';
import { inRealm, type SystemRealm } from '../../../packages/protocol/hapi/system-entity.ts';
import {
  type BlockResultRow,
  isOfBlock,
  selectBlockResults,
  selectGasUsed,
} from '../../../packages/store/read/select-block-results.ts';
import type { BlockName } from '../../../packages/store/read/select-blocks.ts';
import {
  type ChainEntity,
  selectChainEntity,
  selectChainEntityAt,
  selectEvmAddresses,
} from '../../../packages/store/read/select-chain-entity.ts';
import { selectContractCreation } from '../../../packages/store/read/select-contract-creation.ts';
import { selectFileVersion } from '../../../packages/store/read/select-file-version.ts';
import { selectPastNonces } from '../../../packages/store/read/state/select-past-nonces.ts';
import { latestMoment } from '../../../packages/store/read/statement/statement-parts.ts';
import { createBlocks } from '../blocks/create-blocks.ts';
import { createContractState } from '../contracts/contract-state.ts';
import { callDataFile, withSenderAlias } from '../contracts/create-contract-results.ts';
import { createCodes } from '../contracts/creation-code.ts';
import type { GasPrices } from '../contracts/gas-prices.ts';
import type { GasFeesQuestion } from '../network/network.ts';
import { askMoments, type MomentSpan } from './moments.ts';
import { askPastBalance } from './past-balance.ts';
import { askSent } from './sent.ts';

type Chain = ReturnType<typeof createChain>;
export type ChainBlock = NonNullable<Awaited<ReturnType<Chain['newestBlock']>>>;
export type ChainResult = Awaited<ReturnType<Chain['results']>>[number];

/** What a block of the chain is made of. */
const members = ['count', 'hash', 'previousHash', 'size'] as const;

type Options = {
  db: Database;
  system: SystemRealm;
  clock: () => bigint;
  gasPrices: GasPrices;
  gasFees: GasFeesQuestion;
};

export function createChain({ db, system, clock, gasPrices, gasFees }: Options) {
  const blocks = createBlocks({ db });
  const listState = createContractState({ db });
  return {
    /** null = nothing is stored yet. */
    async newestBlock() {
      const [newest] = await listBlocks({ from: null, to: null, order: 'desc', limit: 1 });
      return newest ?? null;
    },
    /** null = there is none, or the name is that of several. */
    block: (name: BlockName) => blocks.find(name, { members, withProof: false }),
    /** By number; bounds are inclusive. */
    blocksBetween: (from: bigint, to: bigint, limit: number) => listBlocks({ from, to, order: 'asc', limit }),
    /** By time, those that ended within the span; bounds are inclusive, ns. */
    async blocksEnded(from: bigint, to: bigint, limit: number) {
      const timestamp = { ...anyRange, from, to };
      return (await blocks.list({ by: 'timestamp', number: anyRange, timestamp, order: 'asc', limit, members })).items;
    },
    /** In order, of transactions that clients sent and that reached the EVM. At most `limit`. */
    async results(span: { from: bigint; to: bigint; limit: number }) {
      const rows = await selectBlockResults(db, span);
      return Promise.all(rows.map(toResult));
    },
    /** Whether the result of a transaction that a client sent is one of these. */
    isOfBlock,
    /** Of the same transactions, together. */
    gasUsed: (span: { from: bigint; to: bigint }) => selectGasUsed(db, span),
    /** The entity at an address: its own, or the one that its number makes. null = nothing is there. */
    entityAt(address: Buffer): Promise<ChainEntity | null> {
      if (!isLongZeroAddress(address)) return selectChainEntity(db, { kind: 'evmAddress', address });
      const id = toId(address);
      return id === null ? Promise.resolve(null) : selectChainEntity(db, { kind: 'id', id });
    },
    /** The entity as it was at `upTo` (ns); null = it was not there yet. */
    async versionAt({ id }: ChainEntity, upTo: bigint): Promise<ChainEntity | null> {
      const found = await selectChainEntityAt(db, id, upTo);
      return found?.createdTimestamp != null && found.createdTimestamp > upTo ? null : found;
    },
    /**
     * Of an account at `upTo` (ns), by what it sent after: history has no versions of it. null = it sent nothing since.
     */
    nonceAt: async (id: bigint, upTo: bigint) => (await selectPastNonces(db, [id], upTo)).get(id) ?? null,
    /** The Ethereum transaction of an account that ran with this nonce; null = there is none. */
    sentWith: (sender: ChainEntity, nonce: bigint) => askSent(db, sender, nonce),
    /** When an entity took part in what ran: was called, sent, or emitted a log. */
    moments: (entity: Pick<ChainEntity, 'id' | 'type'>, span: MomentSpan) => askMoments(db, entity, span),
    /** By what, and within what, an entity was created then; null = nothing is stored of it. */
    creation: (createdTimestamp: bigint) => selectContractCreation(db, createdTimestamp),
    /** The number that a long-zero address says; null = none can have it. */
    idOf: (address: Buffer): bigint | null => (isLongZeroAddress(address) ? toId(address) : null),
    /** Of those that have one of their own, by id. */
    addresses: (ids: readonly bigint[]) => selectEvmAddresses(db, ids),
    ...createCodes(db),
    /** As of `upTo` (ns), null = now. 32 bytes; null = never written. */
    async slot(contractId: bigint, slot: bigint, upTo: bigint | null): Promise<Buffer | null> {
      const timestamp = upTo === null ? anyRange : { ...anyRange, equals: [upTo] };
      const page = { order: 'asc', limit: 1, byBytes: null } as const;
      const found = await listState({ ...page, contractId, slot: { ...anyRange, equals: [slot] }, timestamp });
      return found.items[0]?.value ?? null;
    },
    /** tinybar */
    balanceAt: (entity: ChainEntity, upTo: bigint) => askPastBalance({ db, system, clock }, entity, upTo),
    /** Of gas in an Ethereum transaction now, tinybar. null = no file says it. */
    async price(): Promise<bigint | null> {
      const found = await gasFees({ from: null, to: null });
      if ('missingFileId' in found) return null;
      return found.fees.find(({ transactionType }) => transactionType === 'EthereumTransaction')?.gas ?? null;
    },
    /** Of gas at a consensus timestamp (ns), as contract results show it; tinybar. null = no file says it. */
    priceAt: (timestamp: bigint) => gasPrices.at(timestamp),
  };

  async function toResult(row: BlockResultRow) {
    const file = callDataFile(row);
    const stored = file === null ? null : await selectFileVersion(db, file, latestMoment);
    return Object.assign(withSenderAlias(row), {
      functionParameters: row.callData?.length ? row.callData : (stored?.content ?? row.functionParameters),
      gasLimit: row.ethGasLimit ?? row.gasLimit,
    });
  }

  async function listBlocks(query: { from: bigint | null; to: bigint | null; order: 'asc' | 'desc'; limit: number }) {
    const { from, to, ...page } = query;
    const found = await blocks.list({
      ...page,
      by: 'number',
      number: { ...anyRange, from, to },
      timestamp: anyRange,
      members,
    });
    return found.items;
  }

  function toId(address: Buffer): bigint | null {
    const num = fromLongZeroAddress(address);
    return num === 0n ? null : inRealm(num, system);
  }
}
