import type { ExportFile } from './read-export.ts';

/** What shows of a file before it is read, a sentence; null = nothing is wrong with it. */
export function findFileProblem({ path, sizeBytes, expected }: ExportFile): string | null {
  if (path === null) return 'the manifest names it, and it is not there';
  if (expected.sizeBytes !== null && expected.sizeBytes !== sizeBytes) {
    return `it has ${sizeBytes} bytes, the manifest says ${expected.sizeBytes}`;
  }
  return null;
}
