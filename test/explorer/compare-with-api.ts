// What pages say beside what the API says of the same: a second reading of both, which knows nothing of how pages are
// made.
import type { ReadPage } from '../../packages/test-support/http/read-page.ts';

/** JSON with every number as it was written. */
type Json = string | boolean | null | Json[] | { [name: string]: Json };

export type AskJson = (path: string) => Promise<Json>;

/** Numbers of any size stay texts. */
export function readExactJson(text: string): Json {
  return JSON.parse(text, (_name, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? (context?.source ?? String(value)) : value,
  ) as Json;
}

type Comparison = (page: ReadPage, json: Record<string, Json>) => [what: string, shown: unknown, expected: unknown][];

const group = (digits: string): string => digits.replaceAll(/\B(?=(\d{3})+$)/g, ',');

/** A whole number of 10^−digits as pages write it. */
function fraction(value: Json, digits: number): string {
  const text = String(value);
  const sign = text.startsWith('-') ? '−' : '';
  const padded = text.replace('-', '').padStart(digits + 1, '0');
  const whole = group(padded.slice(0, padded.length - digits));
  const rest = digits === 0 ? '' : padded.slice(-digits).replace(/0+$/, '');
  return `${sign}${whole}${rest === '' ? '' : `.${rest}`}`;
}

const hbar = (value: Json): string => `${fraction(value, 8)} ℏ`;

function firstTable(page: ReadPage): Record<string, string>[] {
  return [...page.tables.values()][0] ?? [];
}

const listOf = (json: Record<string, Json>, name: string): Record<string, Json>[] =>
  (json[name] ?? []) as Record<string, Json>[];

/** By the form of the page's path below the network's name. */
const comparisons: readonly [path: RegExp, compare: Comparison][] = [
  [
    /^\/blocks$/,
    (page, json) =>
      listOf(json, 'blocks').flatMap((block, at) => {
        const row = firstTable(page)[at] ?? {};
        return [
          ['number', row.Number, block.number],
          ['count', row.Transactions, group(String(block.count))],
        ] as [string, unknown, unknown][];
      }),
  ],
  [
    /^\/transactions$/,
    (page, json) =>
      listOf(json, 'transactions').flatMap((transaction, at) => {
        const row = firstTable(page)[at] ?? {};
        return [
          ['id', row.Id, transaction.transaction_id],
          ['fee', row.Fee ?? '', transaction.charged_tx_fee === null ? '' : hbar(transaction.charged_tx_fee!)],
        ] as [string, unknown, unknown][];
      }),
  ],
  [
    /^\/token\/[^/]+$/,
    (page, json) => [
      ['supply', page.facts.get('Now'), fraction(json.total_supply!, Number(json.decimals))],
      ['initial supply', page.facts.get('At the beginning'), fraction(json.initial_supply!, Number(json.decimals))],
      ['treasury', page.facts.get('Treasury') ?? null, json.treasury_account_id],
    ],
  ],
  [
    /^\/token\/[^/]+\/nfts$/,
    (page, json) =>
      listOf(json, 'nfts').flatMap((nft, at) => {
        const row = firstTable(page)[at] ?? {};
        return [
          ['serial', row['Serial number']?.split(' ')[0], `#${nft.serial_number}`],
          ['owner', row.Owner ?? '', nft.account_id ?? ''],
        ] as [string, unknown, unknown][];
      }),
  ],
  [/^\/token\/[^/]+\/\d+$/, (page, json) => [['serial', page.facts.get('Serial number'), json.serial_number]]],
  [
    /^\/topic\/[^/]+\/messages$/,
    (page, json) =>
      listOf(json, 'messages').map((message, at): [string, unknown, unknown] => [
        'number',
        firstTable(page)[at]?.Number,
        `#${message.sequence_number}`,
      ]),
  ],
  [
    /^\/accounts$/,
    (page, json) =>
      listOf(json, 'accounts').flatMap((account, at) => {
        const row = firstTable(page)[at] ?? {};
        const balance = (account.balance as Record<string, Json>).balance!;
        const shown = Object.values(row);
        return [
          ['id', shown.some((text) => text.split(' ')[0] === account.account), true],
          ['balance', shown.includes(hbar(balance)), true],
        ] as [string, unknown, unknown][];
      }),
  ],
  [
    /^\/account\/[^/]+$/,
    (page, json) => [
      ['balance', page.text.includes(hbar((json.balance as Record<string, Json>).balance!)), true],
      [
        'memo',
        page.facts.get('Memo') ?? '',
        String(json.memo ?? '')
          .replaceAll(/\s+/g, ' ')
          .trim(),
      ],
    ],
  ],
  [
    /^\/block\/[^/]+$/,
    (page, json) => [
      ['number', page.text.includes(group(String(json.number))) || page.text.includes(String(json.number)), true],
      ['hash', page.text.includes(String(json.hash)), true],
      ['count', page.text.includes(group(String(json.count))), true],
    ],
  ],
  [
    /^\/transaction\/[^/]+$/,
    (page, json) =>
      listOf(json, 'transactions')
        .slice(0, 1)
        .flatMap((transaction) => {
          const transfers = listOf(transaction, 'transfers');
          return [
            ['id', page.text.includes(String(transaction.transaction_id)), true],
            ['fee', transaction.charged_tx_fee === null || page.text.includes(hbar(transaction.charged_tx_fee!)), true],
            ...(transfers.length <= 12
              ? transfers.map((transfer): [string, unknown, unknown] => [
                  `transfer of ${transfer.account} ${transfer.amount}`,
                  page.text.includes(String(transfer.account)) &&
                    page.text.includes(fraction(String(transfer.amount).replace('-', ''), 8)),
                  true,
                ])
              : []),
          ] as [string, unknown, unknown][];
        }),
  ],
];

/** What differs, a line each. `path`: of the page, with its query. */
export async function compareWithApi(path: string, page: ReadPage, ask: AskJson): Promise<string[]> {
  const { json } = page;
  const below = /^\/[^/]+(\/[^?]*)/.exec(path)?.[1] ?? '';
  const compare = comparisons.find(([form]) => form.test(below))?.[1];
  if (!compare || json === undefined) return [];
  const answer = (await ask(json)) as Record<string, Json>;
  // The page before is asked for from its end, in the other order.
  const found = /[?&]page=previous\b/.test(path) ? turnLists(answer) : answer;
  return compare(page, found).flatMap(([what, shown, expected]) =>
    shown === expected ? [] : [`${what}: ${JSON.stringify(shown)}, and ${json} has ${JSON.stringify(expected)}`],
  );
}

function turnLists(answer: Record<string, Json>): Record<string, Json> {
  const turned = Object.entries(answer).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.toReversed() : value,
  ]);
  return Object.fromEntries(turned) as Record<string, Json>;
}
