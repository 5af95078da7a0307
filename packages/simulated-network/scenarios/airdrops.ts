// Airdrops that arrive, stay pending, are claimed or cancelled; and rejection of what arrived unasked.
import type { proto } from '../../protocol/hapi/hapi.ts';
import { accountId, tokenId, toLong } from '../ledger/hapi-values.ts';
import { canReceive, pendingAirdropId } from '../transactions/airdrops.ts';
import { createUser } from './accounts.ts';
import type { Scene } from './scene.ts';
import { debitAndCredits, pickNft, relationsOf, transferHbar } from './transfers.ts';

const pendingLimit = 40;
/** Number of newest airdrops that stay pending. */
const keptPending = 3;

export async function airdrop(scene: Scene): Promise<void> {
  const { random } = scene;
  if (scene.ledger.tables.airdrops.size > pendingLimit) return settleAirdrop(scene);
  const tokenTransfers: proto.ITokenTransferList[] = [];
  const signers: bigint[] = [];
  const nft = random.chance(0.4) ? pickNft(scene) : undefined;
  const receiver = random.pick(scene.cast('user'));
  if (nft && nft.owner !== receiver) {
    signers.push(nft.owner);
    const transfer = {
      senderAccountID: accountId(nft.owner),
      receiverAccountID: accountId(receiver),
      serialNumber: toLong(nft.serial),
    };
    tokenTransfers.push({ token: tokenId(nft.token), nftTransfers: [transfer] });
  } else {
    if (scene.cast('fungible').length === 0) return transferHbar(scene);
    const token = random.pick(scene.cast('fungible'));
    const holder = relationsOf(scene, token).find(({ balance, account }) => balance > 100n && account !== receiver);
    if (!holder) return transferHbar(scene);
    signers.push(holder.account);
    tokenTransfers.push({
      token: tokenId(token),
      transfers: debitAndCredits(holder.account, [{ id: receiver, amount: 10n }]),
    });
  }
  await scene.submit({ kind: 'tokenAirdrop', payer: await scene.payer(), signers, data: { tokenTransfers } });
}

/** To a user who cannot take it yet. */
export async function airdropToPending(scene: Scene): Promise<void> {
  const unready = () => {
    for (const token of scene.cast('fungible')) {
      const [holder] = relationsOf(scene, token).filter(({ balance }) => balance > 100n);
      const receiver = scene.cast('user').find((id) => !canReceive(scene, id, scene.ledger.tables.tokens.get(token)!));
      if (holder && receiver !== undefined) return { token, holder: holder.account, receiver };
    }
    return undefined;
  };
  for (let attempts = 0; attempts < 40 && !unready(); attempts++) await createUser(scene);
  const found = unready();
  if (!found) return;
  const transfers = debitAndCredits(found.holder, [{ id: found.receiver, amount: 10n }]);
  const data = { tokenTransfers: [{ token: tokenId(found.token), transfers }] };
  await scene.submit({ kind: 'tokenAirdrop', payer: await scene.payer(), signers: [found.holder], data });
}

export async function settleAirdrop(scene: Scene): Promise<void> {
  const pending = [...scene.ledger.tables.airdrops.values()].slice(0, -keptPending);
  if (pending.length === 0) return rejectToken(scene);
  const chosen = scene.random.pick(pending);
  const data = { pendingAirdrops: [pendingAirdropId(chosen)] };
  const claims = scene.random.chance(0.6);
  const signers = [claims ? chosen.receiver : chosen.sender];
  const kind = claims ? 'tokenClaimAirdrop' : 'tokenCancelAirdrop';
  const { status } = await scene.submit({ kind, payer: await scene.payer(), signers, data });
  // An airdrop that cannot be claimed any more (frozen, deleted, spent) is cancelled, or removed with its sender.
  if (status === 'SUCCESS' || !claims) return;
  await scene.submit({ kind: 'tokenCancelAirdrop', payer: await scene.payer(), signers: [chosen.sender], data });
}

async function rejectToken(scene: Scene): Promise<void> {
  const owner = await scene.payer();
  const held = [...scene.cast('fungible')].find((token) => {
    const isTreasury = scene.ledger.tables.tokens.get(token)!.treasury === owner;
    return !isTreasury && (scene.ledger.tables.relations.get(`${owner}:${token}`)?.balance ?? 0n) > 0n;
  });
  if (held === undefined) return transferHbar(scene);
  const data = { owner: accountId(owner), rejections: [{ fungibleToken: tokenId(held) }] };
  await scene.submit({ kind: 'tokenReject', payer: owner, data });
}
