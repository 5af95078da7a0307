// A process with the one compiler that its argument names, as the process of a check has it. It ends with its parent.
import { loadCompiler } from '../../verification/compilers/load-compiler.ts';

const loaded = loadCompiler(process.argv[2]!, async () => {});

process.on('disconnect', () => process.exit());
process.on('message', async ({ input }: { input: string | null }) => {
  try {
    const compiler = await loaded;
    process.send!({ text: input === null ? compiler.version : await compiler.compile(input) });
  } catch (error) {
    process.send!({ error: (error as Error).message });
  }
});
