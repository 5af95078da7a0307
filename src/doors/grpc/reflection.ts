// Tells clients which services there are, and how their messages look (gRPC server reflection, both versions).
import type { ServiceDefinition } from '@grpc/grpc-js';
import type protobuf from 'protobufjs';
import descriptor from 'protobufjs/ext/descriptor/index.js';
import { type DescribedFile, toService } from './definitions.ts';

type Request = {
  file_by_filename?: string;
  file_containing_symbol?: string;
  file_containing_extension?: object;
  all_extension_numbers_of_type?: string;
  list_services?: string;
  message_request?: string;
};

/** google.rpc.Code */
const [notFound, unimplemented] = [5, 12];

export function createReflection(files: readonly DescribedFile[], service: protobuf.Service) {
  const described = files.map((file) => ({ ...file, symbols: symbolsOf(file.bytes) }));
  const services = described.flatMap(({ symbols }) => symbols.services);
  const answerReflection = (request: object): object => {
    const asked = request as Request;
    const answered = { valid_host: '', original_request: request };
    if (asked.message_request === 'list_services') {
      return { ...answered, list_services_response: { service: services.map((name) => ({ name })) } };
    }
    const isByName = asked.message_request === 'file_by_filename';
    const name = isByName ? asked.file_by_filename : asked.file_containing_symbol;
    if (!isByName && asked.message_request !== 'file_containing_symbol')
      return { ...answered, ...refuse(unimplemented, 'not supported') };
    const found = described.find((file) => (isByName ? file.name === name : file.symbols.all.has(name ?? '')));
    if (!found) return { ...answered, ...refuse(notFound, `${name} not found`) };
    const needed = [found, ...described.filter((file) => found.dependency.includes(file.name))];
    return { ...answered, file_descriptor_response: { file_descriptor_proto: needed.map(({ bytes }) => bytes) } };
  };
  const definitions: ServiceDefinition[] = ['v1', 'v1alpha'].map((version) =>
    toService(service, `grpc.reflection.${version}.ServerReflection`),
  );
  return definitions.map((definition) => ({ definition, answerReflection }));
}

function refuse(code: number, message: string): object {
  return { error_response: { error_code: code, error_message: message.slice(0, 200) } };
}

/** Full names of messages, enumerations, services and methods. */
function symbolsOf(bytes: Uint8Array) {
  const file = descriptor.FileDescriptorProto.toObject(descriptor.FileDescriptorProto.decode(bytes)) as {
    package: string;
    messageType?: { name: string }[];
    enumType?: { name: string }[];
    service?: { name: string; method?: { name: string }[] }[];
  };
  const full = (name: string): string => `${file.package}.${name}`;
  const services = (file.service ?? []).map(({ name }) => full(name));
  const methods = (file.service ?? []).flatMap(({ name, method }) =>
    (method ?? []).map((one) => `${full(name)}.${one.name}`),
  );
  const types = [...(file.messageType ?? []), ...(file.enumType ?? [])].map(({ name }) => full(name));
  return { services, all: new Set([...services, ...methods, ...types]) };
}
