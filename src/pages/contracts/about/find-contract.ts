// The contract that the path of a page names, and its checked interface.

import { formatEntityId } from '../../../../packages/protocol/hapi/entity-id.ts';
import { toLongZeroAddress } from '../../../../packages/protocol/hapi/evm-address.ts';
import type { ContractAbi, ShownProxy } from '../../../contracts/abi/create-contract-abis.ts';
import type { ContractToken } from '../../../ledger/tokens/create-contract-tokens.ts';
import { getContract } from '../../../resources/contracts/get-contract.ts';
import { listContracts } from '../../../resources/contracts/list-contracts.ts';
import type { ItemOf } from '../../lists/list-page.ts';
import type { PageRequest } from '../../page/page.ts';
import type { PageContext } from '../../page/page-context.ts';

export type ContractRow = ItemOf<typeof listContracts>;

export type ShownContract = {
  contract: ContractRow;
  id: bigint;
  /** 0x and 40 lower-case hex digits. */
  address: string;
  /** null = neither it nor its implementation was checked. */
  abi: ContractAbi | null;
  /** What it forwards calls to, checked or not. */
  proxy: ShownProxy | null;
  /** The token that it keeps. */
  token: ContractToken | null;
};

/** Of paths with `:contractId`. */
export function contractParams({ params }: PageRequest): { contractIdOrAddress: string } {
  return { contractIdOrAddress: params.contractId! };
}

/** Without its code. Throws RequestError if there is none. */
export async function findContract(context: PageContext, request: PageRequest): Promise<ShownContract> {
  const asked = request.params.contractId!;
  const listed = /^[\d.]+$/.test(asked)
    ? (await context.ask(listContracts, { queryText: `contract.id=${asked}` })).found.items[0]
    : undefined;
  return toShown(context, listed ?? (await findWithCode(context, request)));
}

/** Throws RequestError if there is none. */
export async function findWithCode(context: PageContext, request: PageRequest) {
  return (await context.ask(getContract, { params: contractParams(request) })).found;
}

export async function toShown(
  { abis, ledger }: Pick<PageContext, 'abis' | 'ledger'>,
  contract: ContractRow,
): Promise<ShownContract> {
  const id = contract.contractId!;
  const address = `0x${Buffer.from(contract.evmAddress ?? toLongZeroAddress(id)).toString('hex')}`;
  const token = await ledger.contractTokens.find(id);
  return { contract, id, address, abi: await abis.find(id), proxy: await abis.proxy(id), token };
}

/** `/{network}/contract/0.0.N`, whatever the request named it by. */
export function contractPath({ links }: Pick<PageContext, 'links'>, { id }: Pick<ShownContract, 'id'>): string {
  return links.path('contract', id);
}

export function contractName({ id }: Pick<ShownContract, 'id'>): string {
  return formatEntityId(id);
}
