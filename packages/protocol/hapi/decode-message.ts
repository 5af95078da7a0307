import { StreamFileError } from '../stream-file-error.ts';

type MessageType<Message> = { name: string; decode(bytes: Uint8Array): Message };

/**
 * A message of the HAPI package. Throws StreamFileError: bytes that are no such message are bad data, not a defect of
 * this program.
 */
export function decodeMessage<Message>(type: MessageType<Message>, bytes: Uint8Array): Message {
  try {
    return type.decode(bytes);
  } catch (error) {
    throw new StreamFileError('malformed', `message ${type.name}`, 'a whole protobuf message', String(error));
  }
}

/** null for bytes that are no such message. */
export function tryDecode<Message>(type: MessageType<Message>, bytes: Uint8Array): Message | null {
  try {
    return type.decode(bytes);
  } catch {
    return null;
  }
}
