// Node writes what it has compiled when a process ends (scripts/run.mjs says where), but vitest kills the processes of
// test files: each of them, and there are 150, would compile the program again.
import { flushCompileCache } from 'node:module';
import { afterAll } from 'vitest';

afterAll(() => flushCompileCache());
