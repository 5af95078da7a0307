// Accounts and contracts get hooks, fill and empty their storage, have transfers run them, and lose them.
import type { proto } from '../../protocol/hapi/hapi.ts';
import { initcodeOf } from '../evm/artifacts.ts';
import { accountId, contractId, duration, tinybarPerHbar, tokenId, toLong } from '../ledger/hapi-values.ts';
import type { Hook } from '../ledger/ledger.ts';
import { encodeKey } from '../ledger/signing-keys.ts';
import { treasury } from './genesis.ts';
import type { Scene } from './scene.ts';
import { debitAndCredits } from './transfers.ts';

const slotCount = 6;
const runSlot = 7;

export async function workOnHooks(scene: Scene): Promise<void> {
  const { random, ledger } = scene;
  const owners = scene.cast('hookOwner').filter((id) => !scene.account(id).deleted);
  const contracts = scene.cast('counter');
  if (contracts.length === 0) return;
  const contract = random.pick(contracts);
  if (owners.length < 4 || random.chance(0.1)) return addOwner(scene, contract);
  const owner = random.pick(owners);
  const hooks = [...ledger.tables.hooks.values()].filter((hook) => hook.owner === owner && !hook.deleted);
  if (hooks.length === 0) return changeHooks(scene, owner, { hookCreationDetails: [hookDetails(scene, contract)] });
  const hook = random.pick(hooks);
  if (Object.keys(hook.slots).length === 0 && random.chance(0.4)) return removeHook(scene, hook, contract);
  if (random.chance(0.4)) return empty(scene, hook);
  await store(scene, hook, storageUpdates(scene));
}

/** hbar and perhaps a token of an account, without its signature: a hook runs before, or before and after. */
export async function transferByHook(scene: Scene): Promise<void> {
  const { random, ledger } = scene;
  const hooks = [...ledger.tables.hooks.values()].filter(({ owner, deleted }) => {
    const { isContract, deleted: isGone, balance } = scene.account(owner);
    return !deleted && !isContract && !isGone && balance > 100n * tinybarPerHbar;
  });
  if (hooks.length === 0) return workOnHooks(scene);
  const { owner, id } = random.pick(hooks);
  const payer = await scene.payer();
  if (payer === owner) return workOnHooks(scene);
  const call = { hookId: toLong(id), evmHookCall: { data: random.bytes(4), gasLimit: toLong(50_000n) } };
  const hook = random.chance(0.5) ? { preTxAllowanceHook: call } : { prePostTxAllowanceHook: call };
  const hbar = debitAndCredits(owner, [{ id: payer, amount: random.amount(1n, tinybarPerHbar) }]);
  Object.assign(hbar[0]!, hook);
  await scene.submit({
    kind: 'cryptoTransfer',
    payer,
    memo: 'asks a hook',
    data: { transfers: { accountAmounts: hbar }, tokenTransfers: heldByOwner(scene, owner, call) },
  });
}

function heldByOwner(scene: Scene, owner: bigint, call: proto.IHookCall): proto.ITokenTransferList[] {
  const { relations, tokens, nfts } = scene.ledger.tables;
  const token = scene.cast('fungible').find((id) => {
    const treasuryOf = tokens.get(id)!.treasury;
    return treasuryOf !== owner && (relations.get(`${owner}:${id}`)?.balance ?? 0n) > 0n;
  });
  const nft = scene.cast('nonFungible').flatMap((id) => {
    const owned = nfts.get(`${id}:1`);
    return owned?.owner === owner && tokens.get(id)!.treasury !== owner ? [owned] : [];
  })[0];
  const lists: proto.ITokenTransferList[] = [];
  if (token !== undefined) {
    const transfers = debitAndCredits(owner, [{ id: tokens.get(token)!.treasury, amount: 1n }]);
    Object.assign(transfers[0]!, { preTxAllowanceHook: call });
    lists.push({ token: tokenId(token), transfers });
  }
  if (nft) {
    const transfer = {
      senderAccountID: accountId(owner),
      receiverAccountID: accountId(tokens.get(nft.token)!.treasury),
      serialNumber: toLong(nft.serial),
      prePostTxSenderAllowanceHook: call,
    };
    lists.push({ token: tokenId(nft.token), nftTransfers: [transfer] });
  }
  return lists;
}

/** A user, a new account or a new contract becomes the owner of a hook. */
async function addOwner(scene: Scene, contract: bigint): Promise<void> {
  const { random } = scene;
  const details = { hookCreationDetails: [hookDetails(scene, contract)] };
  const how = random.weighted({ user: 3, newAccount: 2, newContract: 1 });
  if (how === 'user') return changeHooks(scene, await scene.payer(), details);
  const key = scene.newKey();
  const { status, id } =
    how === 'newAccount'
      ? await scene.submit({
          kind: 'cryptoCreateAccount',
          payer: treasury,
          data: { key, initialBalance: toLong(2000n * tinybarPerHbar), ...details },
        })
      : await scene.submit({
          kind: 'contractCreateInstance',
          payer: await scene.payer(),
          keys: [encodeKey(key)],
          data: {
            initcode: initcodeOf('Vault'),
            adminKey: key,
            gas: toLong(1_500_000n),
            autoRenewPeriod: duration(7_776_000n),
            ...details,
          },
        });
  if (status === 'SUCCESS') scene.enlist('hookOwner', id);
}

async function removeHook(scene: Scene, { owner, id }: Hook, contract: bigint): Promise<void> {
  // The same transaction may reuse the freed id.
  const again = scene.random.chance(0.3) ? [{ ...hookDetails(scene, contract), hookId: toLong(id) }] : [];
  await changeHooks(scene, owner, { hookIdsToDelete: [toLong(id)], hookCreationDetails: again });
}

async function changeHooks(
  scene: Scene,
  owner: bigint,
  changes: Pick<proto.ICryptoUpdateTransactionBody, 'hookIdsToDelete' | 'hookCreationDetails'>,
): Promise<void> {
  const { isContract, key } = scene.account(owner);
  const { status } = isContract
    ? await scene.submit({
        kind: 'contractUpdateInstance',
        payer: await scene.payer(),
        keys: [key],
        data: { contractID: contractId(owner), ...changes },
      })
    : await scene.submit({
        kind: 'cryptoUpdateAccount',
        payer: owner,
        data: { accountIDToUpdate: accountId(owner), ...changes },
      });
  if (status === 'SUCCESS' && !scene.cast('hookOwner').includes(owner)) scene.enlist('hookOwner', owner);
}

async function store(scene: Scene, { owner, id }: Hook, updates: ReturnType<typeof storageUpdates>): Promise<void> {
  const { isContract, key } = scene.account(owner);
  const entityId = isContract ? { contractId: contractId(owner) } : { accountId: accountId(owner) };
  const data = { hookId: { entityId, hookId: toLong(id) }, storageUpdates: updates };
  await scene.submit({ kind: 'lambdaSstore', payer: await scene.payer(), keys: [key], signers: [owner], data });
}

/** Empties its storage. */
async function empty(scene: Scene, hook: Hook): Promise<void> {
  const none = Buffer.alloc(0);
  const slots = Array.from({ length: runSlot }, (_, slot) => ({
    storageSlot: { key: Buffer.of(slot + 1), value: none },
  }));
  const keys = Array.from({ length: slotCount }, (_, slot) => Buffer.of(slot + 1));
  const entries = [
    ...keys.map((key) => ({ key, value: none })),
    ...keys.map((preimage) => ({ preimage, value: none })),
  ];
  await store(scene, hook, [...slots, { mappingEntries: { mappingSlot: Buffer.of(9), entries } }]);
}

function hookDetails(scene: Scene, contract: bigint) {
  const { random } = scene;
  return {
    hookId: toLong(BigInt(random.integer(1, 5))),
    lambdaEvmHook: {
      spec: { contractId: contractId(contract) },
      storageUpdates: random.chance(0.5) ? storageUpdates(scene) : [],
    },
    adminKey: random.chance(0.5) ? scene.newKey() : undefined,
  };
}

type Entry = { key?: Buffer; preimage?: Buffer; value: Buffer };
type StorageUpdate = {
  storageSlot?: { key: Buffer; value: Buffer };
  mappingEntries?: { mappingSlot: Buffer; entries: Entry[] };
};

/** A third of them removes a slot. */
function storageUpdates({ random }: Scene): StorageUpdate[] {
  const value = () =>
    random.chance(0.33) ? Buffer.alloc(0) : Buffer.of(random.integer(1, 255), random.integer(0, 255));
  const key = () => Buffer.of(random.integer(1, slotCount));
  return Array.from({ length: random.integer(1, 3) }, () =>
    random.chance(0.7)
      ? { storageSlot: { key: key(), value: value() } }
      : {
          mappingEntries: {
            mappingSlot: Buffer.of(9),
            entries: [random.chance(0.5) ? { key: key(), value: value() } : { preimage: key(), value: value() }],
          },
        },
  );
}
