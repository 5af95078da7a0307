// What a wallet shows of an account: hbar, tokens with their names and decimals, NFTs, and the newest transactions.
//
//   node examples/wallet-page.mjs [account: id, alias or EVM address]
//
// Without an account it takes the one that holds most. MIRROR=<url> names the mirror; http://127.0.0.1:5551 unless said
// otherwise. Needs a mirror that runs: npm start.
import { get } from './exact-json.mjs';

const mirror = process.env.MIRROR ?? 'http://127.0.0.1:5551';
const name = process.argv[2] ?? (await richest());

const account = await get(`${mirror}/api/v1/accounts/${name}?limit=5`);
if (account === null) throw new Error(`There is no account ${name}`);
const id = account.account;
console.log(`Account ${id}${account.evm_address ? ` (${account.evm_address})` : ''}`);
console.log(`  ${units(account.balance.balance, 8)} hbar at ${account.balance.timestamp}`);

console.log('Tokens');
for await (const holding of pages(`/api/v1/accounts/${id}/tokens?limit=100`, 'tokens')) {
  const token = await get(`${mirror}/api/v1/tokens/${holding.token_id}`);
  if (token.type === 'FUNGIBLE_COMMON') {
    console.log(
      `  ${units(holding.balance, Number(token.decimals))} ${token.symbol} (${token.name}, ${holding.token_id})`,
    );
  }
}

console.log('NFTs');
for await (const nft of pages(`/api/v1/accounts/${id}/nfts?limit=100`, 'nfts')) {
  console.log(`  ${nft.token_id} #${nft.serial_number}: ${Buffer.from(nft.metadata, 'base64').toString()}`);
}

console.log('Newest transactions');
for (const { consensus_timestamp, name: kind, result, transfers } of account.transactions) {
  const moved = transfers
    .filter((transfer) => transfer.account === id)
    .reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  console.log(`  ${consensus_timestamp} ${kind} ${result} ${moved > 0n ? '+' : ''}${units(moved, 8)} hbar`);
}

/** The rows of a list, page after page. */
async function* pages(path, list) {
  for (let link = path; link !== null; ) {
    const page = await get(mirror + link);
    yield* page[list];
    link = page.links.next;
  }
}

/** An amount in the smallest unit, with a decimal point. */
function units(amount, decimals) {
  const digits = String(BigInt(amount))
    .replace('-', '')
    .padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const sign = BigInt(amount) < 0n ? '-' : '';
  return decimals === 0 ? sign + whole : `${sign}${whole}.${digits.slice(-decimals)}`;
}

async function richest() {
  const { accounts } = await get(`${mirror}/api/v1/accounts?account.id=gt:1000&limit=100`);
  const [first] = accounts.toSorted((a, b) => (BigInt(a.balance.balance) < BigInt(b.balance.balance) ? 1 : -1));
  if (!first) throw new Error('The ledger has no accounts of users yet');
  return first.account;
}
