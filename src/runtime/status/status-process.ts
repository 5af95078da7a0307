// How Node is told to run the status service: it is small, and stays small under readers. Measured with 64 connections at
// 18,000 requests a second: 207 MB as V8 and glibc like it, 160 MB so.

export const statusProcess = {
  nodeFlags: ['--max-semi-space-size=1'],
  /** Of glibc: one place that keeps freed memory in place of eight. */
  environment: { MALLOC_ARENA_MAX: '1' },
} as const;

/** From the mirror that started the service to it, and back where others need it still. */
export const stopMessage = 'stop';
export const goesOnMessage = 'goes on';
