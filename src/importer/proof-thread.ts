// Entry of the thread that checks the network's proofs: 57 ms of computing a block would hold up whatever else the
// process does. A call by name in, its answer or its error out. The thread ends with its process.
import { parentPort } from 'node:worker_threads';
import { createProofChecker } from './proving/check-proofs.ts';

const port = parentPort!;
const checker = createProofChecker();

port.on('message', ({ name, asked }: { name: keyof typeof checker; asked: unknown }) => {
  try {
    port.postMessage({ answer: (checker[name] as (value: unknown) => unknown)(asked) });
  } catch (error) {
    port.postMessage({ error });
  }
});
