// The services as grpc-js takes them, and their descriptions for clients that ask, both from the .proto files beside.
import { readFileSync } from 'node:fs';
import type { ServiceDefinition } from '@grpc/grpc-js';
import protobuf from 'protobufjs';
import descriptor from 'protobufjs/ext/descriptor/index.js';

const files = ['basic-types', 'mirror', 'health', 'reflection'] as const;

export type DescribedFile = { name: string; packageName: string; dependency: string[]; bytes: Uint8Array };

export function loadDefinitions() {
  const root = new protobuf.Root();
  const parsed = files.map((name) => {
    const text = readFileSync(new URL(`./definitions/${name}.proto`, import.meta.url), 'utf8');
    const { package: packageName = '', imports = [] } = protobuf.parse(text, root, { keepCase: true });
    return { name: `${name}.proto`, packageName, dependency: imports };
  });
  root.resolveAll();
  return {
    service: (name: string) => root.lookupService(name),
    files: parsed.map((file): DescribedFile => ({ ...file, bytes: describeFile(root, file) })),
  };
}

/** `as`: another name of the same service. */
export function toService(service: protobuf.Service, as = service.fullName.slice(1)): ServiceDefinition {
  return Object.fromEntries(
    service.methodsArray.map((method) => {
      method.resolve();
      const { resolvedRequestType, resolvedResponseType, requestStream = false, responseStream = false } = method;
      const [request, response] = [resolvedRequestType!, resolvedResponseType!];
      const definition = {
        path: `/${as}/${method.name}`,
        requestStream,
        responseStream,
        requestSerialize: (value: object) => Buffer.from(request.encode(value).finish()),
        requestDeserialize: (bytes: Buffer) => request.decode(bytes),
        responseSerialize: (value: object) => Buffer.from(response.encode(value).finish()),
        responseDeserialize: (bytes: Buffer) => response.decode(bytes),
      };
      return [method.name, definition];
    }),
  );
}

/** As a FileDescriptorProto. */
function describeFile(
  root: protobuf.Root,
  { name, packageName, dependency }: Omit<DescribedFile, 'bytes'>,
): Uint8Array {
  const own = (root.lookup(packageName) as protobuf.Namespace).nestedArray;
  const ofKind = <T>(kind: abstract new (...args: never[]) => T): T[] =>
    own.filter((one) => one instanceof kind) as T[];
  const file = {
    ...{ name, package: packageName, dependency, syntax: 'proto3' },
    messageType: ofKind(protobuf.Type).map(describeMessage),
    enumType: ofKind(protobuf.Enum).map((one) => ({
      name: one.name,
      value: Object.entries(one.values).map(([label, number]) => ({ name: label, number })),
    })),
    service: ofKind(protobuf.Service).map((one) => ({
      name: one.name,
      method: one.methodsArray.map((method) => ({
        name: method.name,
        inputType: method.resolvedRequestType!.fullName,
        outputType: method.resolvedResponseType!.fullName,
        clientStreaming: method.requestStream === true,
        serverStreaming: method.responseStream === true,
      })),
    })),
  };
  return descriptor.FileDescriptorProto.encode(descriptor.FileDescriptorProto.fromObject(file)).finish();
}

/** FieldDescriptorProto.Type */
const typeNumbers: Readonly<Record<string, number>> = { int64: 3, uint64: 4, int32: 5, bool: 8, string: 9, bytes: 12 };
const [ofMessage, ofEnum] = [11, 14];

function describeMessage(type: protobuf.Type) {
  return {
    name: type.name,
    field: type.fieldsArray.map((field) => {
      const { resolvedType } = field.resolve();
      return {
        ...{ name: field.name, number: field.id, label: field.repeated ? 3 : 1 },
        type: typeNumbers[field.type] ?? (resolvedType instanceof protobuf.Enum ? ofEnum : ofMessage),
        ...(resolvedType && { typeName: resolvedType.fullName }),
        ...(field.partOf && { oneofIndex: type.oneofsArray.indexOf(field.partOf) }),
      };
    }),
    oneofDecl: type.oneofsArray.map(({ name }) => ({ name })),
  };
}
