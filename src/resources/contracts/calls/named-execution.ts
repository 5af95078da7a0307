// The execution in a path whose refusals are those of calls, with its text for their sentences.

import { refuse } from '../../../../packages/web-server/request-error.ts';
import type { PathParameter } from '../../../api/reading/query/parameter.ts';
import type { ExecutionName } from '../../../ledger/contracts/create-contract-results.ts';
import { executionInPath } from '../execution-path.ts';

export type NamedExecution = { text: string; execution: ExecutionName };

export const namedExecution: PathParameter<NamedExecution> = {
  ...executionInPath,
  async read(text, context) {
    if (text.trim() === '') throw refuse('invalidCall', { text: 'Missing transaction ID or hash' });
    const execution = await executionInPath.read(text, context);
    if (!execution) throw refuse('invalidCall', { text: `Unsupported ID format: '${text}'` });
    return { text, execution };
  },
};
