// Requests of all kinds at a fixed rate, whether or not the mirror keeps up, and what came of each kind in a minute.
import { setTimeout as sleep } from 'node:timers/promises';
import type { AskedKind } from './asked-kinds.ts';

type KindFigures = {
  right: number;
  refused: number;
  cut: number;
  /** ms, of the right ones, in the order of their answers. */
  ms: number[];
};

export type LoadFigures = {
  kinds: Map<string, KindFigures>;
  wrong: string[];
  /** Not asked, because too many had no answer yet. */
  notSent: number;
};

export type MixedLoad = {
  /** The figures since the last call. */
  take(): LoadFigures;
  stop(): Promise<void>;
};

const maxOpen = 64;
const tickMs = 20;

/** Requests a second that the mirror answers when clients ask one after the other. */
export async function measureCapacity(kinds: readonly AskedKind[], seconds: number, clients = 8): Promise<number> {
  const next = inTurn(kinds);
  const until = performance.now() + seconds * 1000;
  let answered = 0;
  const ask = async (): Promise<void> => {
    while (performance.now() < until) {
      const { kind, turn } = next();
      await kind.ask(turn);
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, ask));
  return answered / seconds;
}

export function startLoad(kinds: readonly AskedKind[], perSecond: number): MixedLoad {
  const next = inTurn(kinds);
  const open = new Set<Promise<void>>();
  let figures = newFigures(kinds);
  let isOver = false;
  const ask = async (): Promise<void> => {
    const { kind, turn } = next();
    const began = performance.now();
    const outcome = await kind.ask(turn);
    const own = figures.kinds.get(kind.name)!;
    if (typeof outcome === 'object') figures.wrong.push(`${kind.name}: ${outcome.wrong}`);
    else own[outcome] += 1;
    if (outcome === 'right') own.ms.push(performance.now() - began);
  };
  const send = (): void => {
    if (open.size >= maxOpen) {
      figures.notSent += 1;
      return;
    }
    const one = ask().finally(() => open.delete(one));
    open.add(one);
  };
  const running = (async () => {
    const began = performance.now();
    for (let sent = 0; !isOver; await sleep(tickMs)) {
      const due = Math.floor(((performance.now() - began) / 1000) * perSecond);
      for (; sent < due; sent += 1) send();
    }
  })();
  return {
    take() {
      const taken = figures;
      figures = newFigures(kinds);
      return taken;
    },
    async stop() {
      isOver = true;
      await running;
      await Promise.all(open);
    },
  };
}

function newFigures(kinds: readonly AskedKind[]): LoadFigures {
  const empty = (): KindFigures => ({ right: 0, refused: 0, cut: 0, ms: [] });
  return { kinds: new Map(kinds.map(({ name }) => [name, empty()])), wrong: [], notSent: 0 };
}

/** Kinds in the order in which each comes as often as its weight says, evenly spread. */
export function inTurn(kinds: readonly AskedKind[]): () => { kind: AskedKind; turn: number } {
  const states = kinds.map((kind) => ({ kind, due: 1 / kind.weight, turn: 0 }));
  return () => {
    const first = states.reduce((a, b) => (b.due < a.due ? b : a));
    first.due += 1 / first.kind.weight;
    first.turn += 1;
    return { kind: first.kind, turn: first.turn };
  };
}
