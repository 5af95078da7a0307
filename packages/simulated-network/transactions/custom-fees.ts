// Custom fees of tokens on transfers: fixed fees from the sender, fractional fees out of the amount that moves (or on
// top, "net of transfers"), royalties out of the hbar paid for an NFT, or the fallback fee from its receiver.

import type { CustomFee, Token } from '../ledger/ledger.ts';
import { addHbar, addTokens, type Execution, livingToken, reject } from './execution.ts';

type Amount = { account: bigint; amount: bigint };

export const chargeCustomFees = {
  /** The amounts after fractional fees are taken out or added. */
  fungible(x: Execution, token: Token, amounts: readonly Amount[]): Amount[] {
    let adjusted = amounts.map(({ account, amount }) => ({ account, amount }));
    for (const { account } of amounts.filter(({ amount }) => amount < 0n)) {
      for (const fee of token.customFees) {
        if (fee.kind === 'fixed' && !isExempt(token, fee, account)) chargeFixed(x, token, fee, account);
      }
    }
    for (const fee of token.customFees) {
      if (fee.kind === 'fractional') adjusted = takeFraction(x, token, fee, adjusted);
    }
    return adjusted;
  },

  nft(x: Execution, token: Token, deal: { sender: bigint; receiver: bigint; hbar: readonly Amount[] }): void {
    for (const fee of token.customFees) {
      if (fee.kind === 'fixed' && !isExempt(token, fee, deal.sender)) chargeFixed(x, token, fee, deal.sender);
      if (fee.kind !== 'royalty' || isExempt(token, fee, deal.sender)) continue;
      const paid = deal.hbar.find(({ account }) => account === deal.sender)?.amount ?? 0n;
      if (paid > 0n) {
        const royalty = (paid * fee.numerator) / fee.denominator;
        pay(x, deal.sender, fee.collector, royalty, null);
      } else if (fee.fallback && !isExempt(token, fee, deal.receiver)) {
        pay(x, deal.receiver, fee.collector, fee.fallback.amount, fee.fallback.token);
      }
    }
  },
};

/** Treasury and collectors of the token are exempt where the fee says so; no account pays a fee to itself. */
function isExempt(token: Token, fee: CustomFee, account: bigint): boolean {
  if (account === token.treasury || account === fee.collector) return true;
  return fee.allCollectorsAreExempt && token.customFees.some(({ collector }) => collector === account);
}

function chargeFixed(x: Execution, _token: Token, fee: CustomFee & { kind: 'fixed' }, payer: bigint): void {
  pay(x, payer, fee.collector, fee.amount, fee.denominatingToken);
}

export function pay(x: Execution, payer: bigint, collector: bigint, amount: bigint, tokenId: bigint | null): void {
  if (amount === 0n) return;
  if (tokenId === null) {
    addHbar(x, payer, -amount, 'INSUFFICIENT_SENDER_ACCOUNT_BALANCE_FOR_CUSTOM_FEE');
    addHbar(x, collector, amount);
  } else {
    const token = livingToken(x, tokenId);
    const held = x.ledger.tables.relations.get(`${payer}:${tokenId}`)?.balance ?? 0n;
    if (held < amount) reject('INSUFFICIENT_SENDER_ACCOUNT_BALANCE_FOR_CUSTOM_FEE');
    addTokens(x, payer, token, -amount);
    addTokens(x, collector, token, amount);
  }
  x.outcome.assessedFees.push({ amount, token: tokenId, collector, payers: [payer] });
}

function takeFraction(
  x: Execution,
  token: Token,
  fee: CustomFee & { kind: 'fractional' },
  amounts: Amount[],
): Amount[] {
  const result = amounts.map((entry) => ({ ...entry }));
  const payers = result.filter(({ account, amount }) => amount < 0n && !isExempt(token, fee, account));
  for (const payer of payers) {
    const raw = (-payer.amount * fee.numerator) / fee.denominator;
    const capped = fee.maximum > 0n && raw > fee.maximum ? fee.maximum : raw;
    const charge = capped < fee.minimum ? fee.minimum : capped;
    if (charge === 0n) continue;
    const receiver = result.find(({ amount }) => amount >= charge);
    if (!fee.net && !receiver) reject('CUSTOM_FEE_MUST_BE_POSITIVE');
    if (fee.net) payer.amount -= charge;
    else receiver!.amount -= charge;
    const collector = result.find(({ account }) => account === fee.collector);
    if (collector) collector.amount += charge;
    else result.push({ account: fee.collector, amount: charge });
    const payers = fee.net ? [payer.account] : [receiver!.account];
    x.outcome.assessedFees.push({ amount: charge, token: token.id, collector: fee.collector, payers });
  }
  return result;
}
