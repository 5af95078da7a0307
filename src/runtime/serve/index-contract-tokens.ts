// The index of tokens that contracts keep, in the background: one of the processes on a database works on it.
import type { Logger } from '../../../packages/kit/process/log.ts';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import { takeLease } from '../../../packages/postgres/wire/take-lease.ts';
import type { BlockWatch } from '../../../packages/store/notify/block-watch.ts';
import { type RunningWork, runInBackground } from '../../contracts/background/run-in-background.ts';
import type { AskContract } from '../../contracts/onchain/ledger-chain.ts';
import { createIndexTokens } from '../../contracts/token-index/index-tokens.ts';

type Options = {
  db: Database;
  ask: AskContract;
  connectionString: string;
  blocks: BlockWatch;
  isBusy(): boolean;
  log: Logger;
};

export function indexContractTokens({ db, ask, connectionString, blocks, isBusy, log }: Options): RunningWork {
  return runInBackground({
    what: 'the index of tokens of contracts',
    takeLease: () => takeLease(connectionString, { application: 'token index', work: 'ledger-mirror token index' }),
    step: createIndexTokens({ db, ask }).step,
    isBusy,
    turn: () => blocks.turn,
    onProgress: async () => {},
    log: (sentence, error) => log.warn({ err: error }, sentence),
  });
}
