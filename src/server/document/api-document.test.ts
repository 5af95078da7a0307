// The document by itself: valid OpenAPI in its structure, true to the settings and to each dialect.

import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { defaultHttpSettings } from '../../../packages/test-support/http/default-settings.ts';
import { findDialect } from '../../api/dialect/find-dialect.ts';
import { type ApiDocument, createApiDocument } from './api-document.ts';

function createDocument(name: 'spec' | 'hiero', settings = defaultHttpSettings): ApiDocument {
  return JSON.parse(JSON.stringify(createApiDocument({ dialect: findDialect(name), settings }))) as ApiDocument;
}

function schemaOf(document: ApiDocument, path: string, name: string) {
  const { parameters = [] } = document.paths[path]!.get!;
  return parameters.find((parameter) => parameter.name === name)!.schema;
}

describe.each(['spec', 'hiero'] as const)('%s', (name) => {
  const document = createDocument(name);

  it('every schema is one, and every reference leads somewhere', () => {
    const ajv = new Ajv2020({ strict: false });
    for (const [title, schema] of Object.entries(document.components.schemas)) {
      expect([title, ajv.validateSchema(schema)]).toEqual([title, true]);
    }
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map((match) => match[1]!);
    expect(references.length).toBeGreaterThan(100);
    for (const reference of references) {
      const found = reference
        .split('/')
        .reduce<unknown>((at, step) => (at as Record<string, unknown>)?.[step], document);
      expect([reference, typeof found]).toEqual([reference, 'object']);
    }
  });

  it('every schema is used', () => {
    const text = JSON.stringify(document);
    for (const title of Object.keys(document.components.schemas)) {
      expect([title, text.includes(`"#/components/schemas/${title}"`)]).toEqual([title, true]);
    }
  });

  it('path parameters are those of the path; operation ids are unique', () => {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.values(methods).map((operation) => ({ path, ...operation })),
    );
    for (const { path, parameters = [] } of operations) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      const inPath = parameters.filter((parameter) => parameter.in === 'path');
      expect(inPath.map((parameter) => parameter.name)).toEqual(named);
    }
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  });
});

describe('what differs', () => {
  const spec = createDocument('spec');
  const hiero = createDocument('hiero');

  it('a large limit is refused by one dialect and capped by the other', () => {
    expect(schemaOf(spec, '/api/v1/schedules', 'limit')).toMatchObject({ minimum: 1, maximum: 100, default: 25 });
    expect(schemaOf(hiero, '/api/v1/schedules', 'limit')).not.toHaveProperty('maximum');
    const small = createDocument('spec', { ...defaultHttpSettings, limitDefault: 5, limitMax: 10 });
    expect(schemaOf(small, '/api/v1/contracts/results', 'limit')).toMatchObject({ maximum: 10, default: 5 });
  });

  it('status and access list', () => {
    const members = ({ components }: ApiDocument) => components.schemas.ContractResult!.properties;
    expect(members(spec)).toMatchObject({ status: { type: 'integer' }, access_list: { type: 'string' } });
    expect(members(hiero)).toMatchObject({ status: { type: 'string' }, access_list: { type: 'array' } });
  });

  it('transaction types', () => {
    const path = '/api/v1/accounts/{idOrAliasOrEvmAddress}';
    const one = schemaOf(spec, path, 'transactiontype');
    expect(one.enum).toContain('NODE');
    expect(one.enum).toContain('HOOKSTORE');
    const several = schemaOf(hiero, path, 'transactiontype');
    expect(several).toMatchObject({ type: 'array' });
    expect(several.items.enum).toContain('HOOKSTORE');
    expect(several.items.enum).not.toContain('UNKNOWN');
  });

  it('members behind a setting, and credentials where there are users', () => {
    const open = createDocument('spec', {
      ...defaultHttpSettings,
      delegationAddress: true,
      users: [{ username: 'ann', password: 'secret' }],
    });
    expect(open.components.schemas.Account!.required).toContain('delegation_address');
    expect(open.components.securitySchemes).toEqual({ basic: { type: 'http', scheme: 'basic' } });
    expect(open.paths['/api/v1/schedules']!.get!.security).toEqual([{}, { basic: [] }]);
    expect(spec.components.schemas.Account!.properties).not.toHaveProperty('delegation_address');
    expect(spec.components).not.toHaveProperty('securitySchemes');
  });
});
