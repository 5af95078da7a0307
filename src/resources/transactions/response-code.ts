// A HAPI response code by the field's own name, as `SUCCESS`.
import { Type } from '@sinclair/typebox';
import { responseCodeName } from '../../../packages/protocol/hapi/response-codes.ts';
import type { Kind } from '../../api/values/kind.ts';

export const responseCode: Kind<number> = {
  schema: Type.String({ pattern: '^[A-Z0-9_]+$', description: 'Response code by name.' }),
  write: (code) => `"${responseCodeName(code)}"`,
};
