// Paths to ask a running server for: points and lists of what it has at this moment.
import { fetchAdmitted } from './fetch-admitted.ts';

/** Points and lists of the current ledger, so many that few are requested twice within a block. */
export async function listPaths(url: string): Promise<string[]> {
  const ask = async (path: string) => (await (await fetchAdmitted(`${url}/api/v1/${path}`)).json()) as never;
  const { accounts } = (await ask('accounts?limit=100')) as { accounts: { account: string }[] };
  const { tokens } = (await ask('tokens?limit=100')) as { tokens: { token_id: string }[] };
  const { transactions } = (await ask('transactions?limit=100')) as { transactions: { transaction_id: string }[] };
  const { blocks } = (await ask('blocks?limit=50')) as { blocks: { number: number }[] };
  const { results } = (await ask('contracts/results?limit=50')) as { results: { hash: string }[] };
  const paths = [
    ...accounts.flatMap(({ account }, index) => [
      `accounts/${account}?limit=${(index % 25) + 1}`,
      `accounts/${account}?transactions=false`,
      `transactions?account.id=${account}&limit=${(index % 25) + 1}`,
    ]),
    ...tokens.flatMap(({ token_id }) => [`tokens/${token_id}`, `tokens/${token_id}/balances?limit=10`]),
    ...transactions.map(({ transaction_id }) => `transactions/${transaction_id}`),
    ...blocks.map(({ number }) => `blocks/${number}`),
    ...results.map(({ hash }) => `contracts/results/${hash}`),
    ...Array.from({ length: 25 }, (_, index) => `transactions?limit=${index + 1}`),
    ...Array.from({ length: 25 }, (_, index) => `contracts/results?limit=${index + 1}`),
    ...Array.from({ length: 25 }, (_, index) => `schedules?limit=${index + 1}`),
  ].map((path) => `/api/v1/${path}`);
  const found: string[] = [];
  for (const path of paths) if ((await fetchAdmitted(url + path)).status === 200) found.push(path);
  // Every kind is spread over the whole time: 7,919 is a prime.
  return found.map((_, index) => found[(index * 7919) % found.length]!);
}
