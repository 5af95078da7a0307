/** Why a connection could not be opened: of a server that takes it and then says nothing, `pg` tells only "timeout expired". */
export function toConnectError(error: Error, timeoutMs: number): Error {
  if (error.message !== 'timeout expired') return error;
  const message = `PostgreSQL does not answer within ${timeoutMs / 1000} s. Check that it runs and takes connections`;
  return Object.assign(new Error(message, { cause: error }), { code: 'ETIMEDOUT' });
}
