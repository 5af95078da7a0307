// A HAPI response code by the field's own name, as `SUCCESS`.
import { Type } from '@sinclair/typebox';
import type { Kind } from '../../api/values/kind.ts';
import { responseCodeName } from '../../protocol/hapi/response-codes.ts';

export const responseCode: Kind<number> = {
  schema: Type.String({ pattern: '^[A-Z0-9_]+$', description: 'Response code by name.' }),
  write: (code) => `"${responseCodeName(code)}"`,
};
