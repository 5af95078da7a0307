import type { ClientCall } from './outside-client.ts';

/** Makes a client's call, and says whether it is right, or fails where that is expected. */
export async function judgeCall({ run, unserved }: ClientCall): Promise<{ isExpected: boolean; verdict: string }> {
  try {
    await run();
    return unserved
      ? { isExpected: false, verdict: `right, though ${unserved}` }
      : { isExpected: true, verdict: 'right' };
  } catch (error) {
    const message = (error instanceof Error ? error.message : String(error)).split('\n').join(' ');
    return {
      isExpected: unserved !== undefined,
      verdict: `${unserved ? `not served (${unserved})` : 'WRONG'}: ${message}`,
    };
  }
}
