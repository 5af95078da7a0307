// Methods about accounts and contracts, now or as of a block.
import type { ChainEntity } from '../../../../packages/store/read/select-chain-entity.ts';
import { blockOfState } from '../reading/block-kinds.ts';
import type { RpcContext } from '../reading/context.ts';
import { findBlock, newestBlock, textOfBlock } from '../reading/find-block.ts';
import { address, type BlockReference, type SlotsOfAccount, slot, slotsByAddress } from '../reading/kinds.ts';
import { about, type Method, method } from '../reading/method.ts';
import { hex, quantity, weibarPerTinybar, word, zeroWord } from '../terms/hex.ts';
import { rpcError } from '../terms/rpc-error.ts';

/** Wallets name the newest block by its number; meanwhile another one may have come. */
const toleratedBlocks = 1n;

async function getBalance({ ledger }: RpcContext, account: Buffer, reference: BlockReference): Promise<string> {
  const upTo = await findMoment();
  const entity = await ledger.chain.entityAt(account);
  if (!entity) return '0x0';
  const tinybar = upTo === null ? entity.balance : await ledger.chain.balanceAt(entity, upTo);
  return quantity((tinybar ?? 0n) * weibarPerTinybar);

  /** null = now. */
  async function findMoment(): Promise<bigint | null> {
    if (reference.kind === 'newest') return null;
    const newest = await newestBlock(ledger);
    if (reference.kind === 'number' && newest.number - reference.number <= toleratedBlocks) return null;
    const found = await findBlock(ledger, reference);
    if (!found) throw rpcError.notFound(`block '${textOfBlock(reference)}'.`);
    return newest.number - found.number <= toleratedBlocks ? null : found.consensusEnd;
  }
}

/** The system contracts of tokens and of schedules, whose code is no code. */
const systemContracts: ReadonlySet<string> = new Set(['167', '16b'].map((digits) => digits.padStart(40, '0')));
const ofTokens = '0000000000000000000000000000000000000167';
const ofSchedules = '000000000000000000000000000000000000016b';
/** What runs at an address is the code at another one (EIP-7702). */
const designator = '0xef0100';

export async function getCode({ ledger }: RpcContext, account: Buffer, reference: BlockReference): Promise<string> {
  if (systemContracts.has(account.toString('hex'))) return '0xfe';
  const [entity, at] = await Promise.all([ledger.chain.entityAt(account), findBlock(ledger, reference)]);
  if (!entity || !at) return '0x';
  const version = reference.kind === 'newest' ? entity : await ledger.chain.versionAt(entity, at.consensusEnd);
  return version && !version.deleted ? codeOf(version) : '0x';

  async function codeOf({ type, id, delegationAddress }: ChainEntity): Promise<string> {
    if (type === 'TOKEN') return designator + ofTokens;
    if (type === 'SCHEDULE') return designator + ofSchedules;
    if (type === 'CONTRACT') return hex(await ledger.chain.code(id));
    const isDelegated = delegationAddress?.some((byte) => byte !== 0);
    return type === 'ACCOUNT' && isDelegated ? designator + delegationAddress!.toString('hex') : '0x';
  }
}

async function getStorage(context: RpcContext, account: Buffer, place: bigint, reference: BlockReference) {
  const upTo = await findEnd(context, reference);
  const [value] = await readSlots(context, { account, slots: [place] }, upTo);
  return value!;
}

/** Of the block, ns; null = now. */
async function findEnd({ ledger }: RpcContext, reference: BlockReference): Promise<bigint | null> {
  if (reference.kind === 'newest') return null;
  const at = await findBlock(ledger, reference);
  if (at) return at.consensusEnd;
  throw rpcError.notFound(`block '${textOfBlock(reference)}'.`);
}

/** One after the other, as requests for each would be in a batch. */
async function readSlots({ ledger }: RpcContext, { account, slots }: SlotsOfAccount, upTo: bigint | null) {
  const entity = await ledger.chain.entityAt(account);
  const values: string[] = [];
  for (const slotNumber of slots) {
    const value = entity && (await ledger.chain.slot(entity.id, slotNumber, upTo));
    values.push(value ? word(value) : zeroWord);
  }
  return values;
}

async function getStorageValues(context: RpcContext, asked: SlotsOfAccount[], reference: BlockReference) {
  const upTo = await findEnd(context, reference);
  const found: [string, string[]][] = [];
  for (const one of asked) found.push([hex(one.account), await readSlots(context, one, upTo)]);
  return Object.fromEntries(found);
}

const withNonce: ReadonlySet<string | null> = new Set(['ACCOUNT', 'CONTRACT']);

export async function getNonce({ ledger }: RpcContext, account: Buffer, reference: BlockReference): Promise<string> {
  // Networks began with one of these, before there were accounts of users.
  if (reference.kind === 'number' && reference.number <= 1n) return '0x0';
  const at = reference.kind === 'newest' ? null : await findBlock(ledger, reference);
  if (reference.kind !== 'newest' && !at) throw rpcError.unknownBlock();
  const now = await ledger.chain.entityAt(account);
  const entity = now && at ? await ledger.chain.versionAt(now, at.consensusEnd) : now;
  if (!entity || entity.deleted || !withNonce.has(entity.type)) return '0x0';
  const sent = at && (await ledger.chain.nonceAt(entity.id, at.consensusEnd));
  if (sent != null) return quantity(sent);
  // Of contracts of earlier versions none was counted: the first is 1.
  return entity.ethereumNonce === null ? '0x1' : quantity(entity.ethereumNonce);
}

export const stateMethods: Readonly<Record<string, Method>> = {
  eth_getBalance: about(
    ['address', 'block: tag, number, hash or object; without it the newest'],
    'balance in weibar',
    method([address, blockOfState], getBalance),
  ),
  eth_getCode: about(
    ['address', 'block: tag, number, hash or object; without it the newest'],
    'code of a contract; of a token, a schedule or an account that delegates the designator of EIP-7702',
    method([address, blockOfState], getCode),
  ),
  eth_getStorageAt: about(
    ['address', 'slot', 'block: tag, number, hash or object; without it the newest'],
    'value of the slot',
    method([address, slot, blockOfState], getStorage),
  ),
  eth_getStorageValues: about(
    ['slots by address, at most 100', 'block: tag, number, hash or object; without it the newest'],
    'values of the slots, by address',
    method([slotsByAddress, blockOfState], getStorageValues),
  ),
  eth_getTransactionCount: about(
    ['address', 'block: tag, number, hash or object; without it the newest'],
    'nonce',
    method([address, blockOfState], getNonce),
  ),
};
