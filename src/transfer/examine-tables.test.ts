import { expect, test } from 'vitest';
import { transferTables } from '../../packages/store/transfer/transfer-tables.ts';
import { examineTables } from './examine-tables.ts';
import type { ExportFile } from './read-export.ts';
import { TransferError } from './transfer-error.ts';

function fileOf(table: string): ExportFile {
  return {
    ...{ table, month: null, isLarge: false, name: table, path: `${table}.csv.gz`, sizeBytes: 1 },
    expected: { rows: 1, sizeBytes: 1, hash: null },
  };
}

/** Which tables are refused and which are told, of an export of these. */
function judge(names: readonly string[], takesPast = false): { refused: string[]; told: Record<string, string[]> } {
  try {
    const absent = examineTables({ place: './export', files: names.map(fileOf), takesPast });
    return { refused: [], told: Object.fromEntries(absent.map(({ tables, without }) => [without, tables])) };
  } catch (error) {
    expect(error).toBeInstanceOf(TransferError);
    const [, named] = /^The export in \.\/export lacks tables of state: (.*)\. Without /.exec(
      (error as Error).message,
    )!;
    return { refused: named!.split(', '), told: {} };
  }
}

const all = [...transferTables.values()];
const hiero = all.filter(({ isOwn }) => !isOwn).map(({ name }) => name);
const own = all.filter(({ isOwn }) => isOwn).map(({ name }) => name);

/** Written out, so that a change of the descriptions is looked at. */
const neededOfHiero = [
  ...['record_file', 'file_data', 'entity', 'entity_stake', 'schedule', 'crypto_allowance', 'token_allowance'],
  ...['nft_allowance', 'token', 'custom_fee', 'token_account', 'nft', 'token_airdrop', 'transaction_signature'],
  ...['contract', 'contract_state', 'topic', 'address_book', 'address_book_entry', 'address_book_service_endpoint'],
  ...['node', 'node_stake', 'network_stake'],
];
const neededOfOwn = [
  ...['block_proof', 'block_verification', 'ledger_trust', 'block_root_forms', 'block_path', 'block_history_node'],
  ...['wrapped_block_tree', 'mirrored_network', 'mirror_extent', 'ledger_scan', 'stake_at_period_end'],
  'import_revision',
];

test('each table of state that is absent alone is refused by name, or told with what is lacking then', () => {
  const refused: string[] = [];
  for (const name of [...hiero, ...own]) {
    const found = judge([...hiero, ...own].filter((other) => other !== name));
    if (found.refused.length > 0) {
      expect(found.refused).toEqual([name]);
      refused.push(name);
    } else {
      const isState = transferTables.get(name)!.state.kind !== 'none';
      expect([name, Object.values(found.told)]).toEqual([name, isState ? [[name]] : []]);
    }
  }
  const isOfChecks = (name: string) => /^(verif|contract_match)/.test(name);
  expect(refused.filter((name) => !isOfChecks(name))).toEqual([...neededOfHiero, ...neededOfOwn]);
  expect(refused.filter(isOfChecks)).toEqual(own.filter(isOfChecks));
});

test('an export of others has no own tables, and one without contract checks says so', () => {
  expect(judge(hiero)).toEqual({ refused: [], told: {} });
  expect(judge(hiero.filter((name) => name !== 'entity')).refused).toEqual(['entity']);
  const { refused, told } = judge([...hiero, ...own.filter((name) => !/^(verif|contract_match)/.test(name))]);
  expect([refused, Object.keys(told)]).toEqual([[], ['no contract is verified']]);
});

test('all that are absent are named at once', () => {
  expect(judge(['record_file', 'entity']).refused).toEqual(
    neededOfHiero.filter((name) => !/^(record_file|entity)$/.test(name)),
  );
});

test('history that is absent is told where more than the state is loaded, and the export has more', () => {
  const isOfPast = (name: string) => /_history$|^(prng|network_freeze|hook_storage_change)$/.test(name);
  const state = hiero.filter((name) => !isOfPast(name));
  const past = hiero.filter((name) => isOfPast(name) && name !== 'prng');
  expect(judge([...state, 'prng'])).toEqual({ refused: [], told: {} });
  expect(judge([...state, 'prng'], true)).toEqual({
    refused: [],
    told: { 'that part of the past is not known': past },
  });
  expect(judge(state, true)).toEqual({ refused: [], told: {} });
});
