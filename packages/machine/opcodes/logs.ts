import { halts } from '../base/halt.ts';
import { useGas } from '../frame/gas.ts';
import { takeMemory } from '../frame/machine.ts';
import { lengthOf, reserve, viewOf } from '../frame/memory.ts';
import { prices } from '../rules/gas-prices.ts';
import { type Handler, opcode } from './opcode.ts';

function log(topics: number): Handler {
  return (frame, machine) => {
    if (frame.isStatic) throw halts.staticWrite;
    const { stack, account } = frame;
    frame.size -= 2 + topics;
    const at = frame.size;
    const length = lengthOf(stack[at + topics]!);
    useGas(frame, prices.logByte * length);
    const start = reserve(frame, machine, stack[at + topics + 1]!, stack[at + topics]!);
    takeMemory(machine, length);
    machine.logs.push({
      address: account.address,
      topics: stack.slice(at, at + topics).reverse(),
      data: viewOf(frame, start, length).slice(),
    });
  };
}

export const logs = [0, 1, 2, 3, 4].map((topics) =>
  opcode(0xa0 + topics, `LOG${topics}`, 2 + topics, 0, prices.logTopic * (1 + topics), log(topics)),
);
