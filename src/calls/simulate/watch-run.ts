// Moves of hbar among the logs of a transaction, in the form of a token's Transfer (ERC-7528); those that are undone are
// left out, as logs are.
import { writeWord } from '../../../packages/machine/base/word.ts';
import type { Log } from '../../../packages/machine/frame/log.ts';
import type { Machine, Tracer } from '../../../packages/machine/frame/machine.ts';
import type { World } from '../../../packages/machine/state/world.ts';
import { weibarPerTinybar } from './seal-block.ts';
import type { SimulatedLog } from './simulation.ts';

type Watched = {
  tracer: Tracer;
  /** What the transaction left; null: it did not begin. */
  world(): World | null;
  /** With the moves among them, where these are asked for. */
  withTransfers(logs: readonly Log[]): SimulatedLog[];
};

const emitter = BigInt(`0x${'ee'.repeat(20)}`);
const transferTopic = 0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3efn;

export function watchRun(tracesTransfers: boolean): Watched {
  /** `before`: so many logs were there. */
  const moves: { before: number; log: SimulatedLog }[] = [];
  let left: World | null = null;
  const transfer = (from: { address: bigint }, to: { address: bigint }, value: bigint, machine: Machine): void => {
    const topics = [transferTopic, from.address, to.address];
    const data = writeWord(value * weibarPerTinybar);
    moves.push({ before: machine.logs.length, log: { address: emitter, topics, data, isTransfer: true } });
    machine.world.journal.record(() => moves.pop());
  };
  return {
    tracer: {
      leave(frame, machine) {
        if (frame.parent === null) left = machine.world;
      },
      ...(tracesTransfers ? { transfer } : {}),
    },
    world: () => left,
    withTransfers(logs) {
      const all: SimulatedLog[] = [];
      let next = 0;
      for (const [at, log] of [...logs, null].entries()) {
        for (; next < moves.length && moves[next]!.before <= at; next++) all.push(moves[next]!.log);
        if (log) all.push({ ...log, isTransfer: false });
      }
      return all;
    },
  };
}
