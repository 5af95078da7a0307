// Transfers of hbar and tokens, also with allowances.
import type { proto } from '../../protocol/hapi/hapi.ts';
import { accountId, nftId, tinybarPerHbar, tokenId, toLong } from '../ledger/hapi-values.ts';
import type { Relation } from '../ledger/ledger.ts';
import type { Scene } from './scene.ts';

export async function transferHbar(scene: Scene): Promise<void> {
  const { random } = scene;
  const payer = await scene.payer();
  const receivers = [
    ...new Set(Array.from({ length: random.integer(1, 3) }, () => random.pick(scene.cast('user')))),
  ].filter((id) => id !== payer);
  const amounts = receivers.map((id) => ({ id, amount: random.amount(1n, 20n * tinybarPerHbar) }));
  await scene.submit({
    kind: 'cryptoTransfer',
    payer,
    signers: receivers.filter((id) => scene.account(id).receiverSigRequired),
    memo: random.pick(['', 'thanks', 'lunch 🍜', 'invoice 2041']),
    data: { transfers: { accountAmounts: debitAndCredits(payer, amounts) } },
  });
}

export function debitAndCredits(
  payer: bigint,
  amounts: { id: bigint; amount: bigint }[],
  isApproval = false,
): proto.IAccountAmount[] {
  const total = amounts.reduce((sum, { amount }) => sum + amount, 0n);
  if (total === 0n) return [];
  return [
    { accountID: accountId(payer), amount: toLong(-total), isApproval },
    ...amounts.map(({ id, amount }) => ({ accountID: accountId(id), amount: toLong(amount) })),
  ];
}

export async function transferToken(scene: Scene): Promise<void> {
  const { random } = scene;
  if (scene.cast('fungible').length === 0) return transferHbar(scene);
  const token = random.pick(scene.cast('fungible'));
  const holders = relationsOf(scene, token);
  const sender = random.pick(holders.filter(({ balance }) => balance > 0n).concat(holders.slice(0, 1)));
  const receiver = random.pick(random.chance(0.7) ? holders.map(({ account }) => account) : scene.cast('user'));
  if (!sender || receiver === sender.account || sender.balance === 0n) return transferHbar(scene);
  const amount = random.amount(1n, sender.balance < 1000n ? sender.balance : 1000n);
  await scene.submit({
    kind: 'cryptoTransfer',
    payer: await scene.payer(),
    signers: [sender.account, ...(scene.account(receiver).receiverSigRequired ? [receiver] : [])],
    data: {
      tokenTransfers: [
        { token: tokenId(token), transfers: debitAndCredits(sender.account, [{ id: receiver, amount }]) },
      ],
    },
  });
}

/** An NFT, sometimes sold for hbar, which brings royalties into play. */
export async function transferNft(scene: Scene): Promise<void> {
  const { random } = scene;
  const nft = pickNft(scene);
  if (!nft) return transferHbar(scene);
  const receiver = random.pick(scene.cast('user'));
  if (receiver === nft.owner) return transferHbar(scene);
  const price = random.chance(0.5) ? random.amount(1n, 40n) * tinybarPerHbar : 0n;
  await scene.submit({
    kind: 'cryptoTransfer',
    payer: await scene.payer(),
    signers: [nft.owner, receiver],
    data: {
      transfers: { accountAmounts: debitAndCredits(receiver, [{ id: nft.owner, amount: price }]) },
      tokenTransfers: [
        {
          token: tokenId(nft.token),
          nftTransfers: [
            {
              senderAccountID: accountId(nft.owner),
              receiverAccountID: accountId(receiver),
              serialNumber: toLong(nft.serial),
            },
          ],
        },
      ],
    },
  });
}

/** Grants an allowance and uses part of it right after. */
export async function useAllowance(scene: Scene): Promise<void> {
  const { random } = scene;
  const pair = random.pair(scene.cast('user'));
  if (!pair) return;
  const [owner, spender] = pair;
  const nft = pickNft(scene);
  const token = relationWithBalance(scene);
  const kind = random.weighted({
    hbar: 3,
    token: token ? 2 : 0,
    nft: nft ? 2 : 0,
    nftAll: nft ? 1 : 0,
    remove: nft ? 1 : 0,
  });
  if (kind === 'hbar') {
    const amount = random.amount(10n, 50n) * tinybarPerHbar;
    await approve(scene, owner, {
      cryptoAllowances: [{ owner: accountId(owner), spender: accountId(spender), amount: toLong(amount) }],
    });
    const transfers = debitAndCredits(owner, [{ id: spender, amount: amount / 3n }], true);
    await spend(scene, spender, { transfers: { accountAmounts: transfers } });
  } else if (kind === 'token') {
    const { account, token: id, balance } = token!;
    if (account === spender) return;
    const allowance = {
      owner: accountId(account),
      spender: accountId(spender),
      tokenId: tokenId(id),
      amount: toLong(balance),
    };
    await approve(scene, account, { tokenAllowances: [allowance] });
    const receiver = scene.ledger.tables.tokens.get(id)!.treasury;
    if (receiver === account) return;
    const transfers = debitAndCredits(account, [{ id: receiver, amount: 1n }], true);
    await spend(scene, spender, { tokenTransfers: [{ token: tokenId(id), transfers }] });
  } else {
    await allowNft(scene, nft!, spender, kind);
  }
}

/** All NFTs of a token, present and future ones of its treasury, to a user. */
export async function approveForAll(scene: Scene): Promise<void> {
  const token = scene.ledger.tables.tokens.get(scene.random.pick(scene.cast('nonFungible')))!;
  const spender = scene.random.pick(scene.cast('user').filter((id) => id !== token.treasury));
  await approve(scene, token.treasury, {
    nftAllowances: [
      {
        tokenId: tokenId(token.id),
        owner: accountId(token.treasury),
        spender: accountId(spender),
        approvedForAll: { value: true },
      },
    ],
  });
}

type PickedNft = NonNullable<ReturnType<typeof pickNft>>;

async function allowNft(
  scene: Scene,
  nft: PickedNft,
  spender: bigint,
  kind: 'nft' | 'nftAll' | 'remove',
): Promise<void> {
  if (nft.owner === spender) return;
  const allowance = { tokenId: tokenId(nft.token), owner: accountId(nft.owner), spender: accountId(spender) };
  await approve(scene, nft.owner, {
    nftAllowances: [
      kind === 'nftAll'
        ? { ...allowance, approvedForAll: { value: true } }
        : { ...allowance, serialNumbers: [nftId(nft.token, nft.serial).serialNumber!] },
    ],
  });
  if (kind !== 'remove') return takeNft(scene, nft, spender);
  await scene.submit({
    kind: 'cryptoDeleteAllowance',
    payer: nft.owner,
    data: {
      nftAllowances: [
        { tokenId: tokenId(nft.token), owner: accountId(nft.owner), serialNumbers: [toLong(nft.serial)] },
      ],
    },
  });
}

/** The spender takes what it may: a transfer by approval. */
async function takeNft(scene: Scene, nft: PickedNft, spender: bigint): Promise<void> {
  const transfer = {
    senderAccountID: accountId(nft.owner),
    receiverAccountID: accountId(spender),
    serialNumber: toLong(nft.serial),
    isApproval: true,
  };
  if (scene.random.chance(0.3)) return;
  await spend(scene, spender, { tokenTransfers: [{ token: tokenId(nft.token), nftTransfers: [transfer] }] });
}

async function approve(scene: Scene, owner: bigint, data: proto.ICryptoApproveAllowanceTransactionBody): Promise<void> {
  await scene.submit({ kind: 'cryptoApproveAllowance', payer: await scene.payer(), signers: [owner], data });
}

async function spend(scene: Scene, spender: bigint, data: proto.ICryptoTransferTransactionBody): Promise<void> {
  await scene.submit({ kind: 'cryptoTransfer', payer: spender, data });
}

export function relationsOf(scene: Scene, token: bigint): Relation[] {
  const accounts = new Set([scene.ledger.tables.tokens.get(token)!.treasury, ...scene.cast('user')]);
  return [...accounts].flatMap((account) => scene.ledger.tables.relations.get(`${account}:${token}`) ?? []);
}

function relationWithBalance(scene: Scene): Relation | undefined {
  if (scene.cast('fungible').length === 0) return undefined;
  const token = scene.random.pick(scene.cast('fungible'));
  const holders = relationsOf(scene, token).filter(({ balance }) => balance > 0n);
  return holders.length > 0 ? scene.random.pick(holders) : undefined;
}

export function pickNft(scene: Scene): { token: bigint; serial: bigint; owner: bigint } | undefined {
  if (scene.cast('nonFungible').length === 0) return undefined;
  const token = scene.ledger.tables.tokens.get(scene.random.pick(scene.cast('nonFungible')))!;
  if (token.nextSerial === 1n) return undefined;
  return scene.ledger.tables.nfts.get(`${token.id}:${scene.random.amount(1n, token.nextSerial - 1n)}`);
}
