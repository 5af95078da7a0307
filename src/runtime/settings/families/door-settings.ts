// Ports and services of other protocols than REST.
import { file, onOff, port, url } from '../../../../packages/kit/setting.ts';
import { commandGroups, settingsOf } from './commands.ts';

const { serving } = commandGroups;

export const doorSettings = {
  ...settingsOf([...serving, 'doctor'], {
    'rpc-port': port(
      {},
      'Port that answers JSON-RPC at /, as a relay does, and web sockets; 0 takes a free one. POST /rpc of the service answers JSON-RPC without it.',
    ),
    'grpc-port': port({}, 'Port that answers gRPC (topics as they are written, address books); 0 takes a free one.'),
    'block-node-port': port(
      {},
      'Port that answers as a block node, so that another mirror can follow this one; 0 takes a free one. It sends the blocks that --keep-proofs kept and those that the source has.',
    ),
    'extra-ports': onOff(
      { default: false },
      'Answer on the ports of a local network, too: JSON-RPC, web sockets and REST on 7546, 8545 and 8546, REST on 8084, gRPC on 5600, so that what is made for one works unchanged.',
    ),
  }),
  ...settingsOf(serving, {
    'relay-url': url(
      { schemes: ['http', 'https'] },
      'A JSON-RPC relay to which eth_sendRawTransaction is handed on. Without it the method is refused: a mirror only reads.',
    ),
    'grpc-unknown-topics': onOff(
      { default: false },
      'Let gRPC clients subscribe to topics that do not exist: they wait for the first message. Otherwise the answer is NOT_FOUND.',
    ),
    'grpc-tls-certificate': file(
      {},
      'Certificate of the gRPC port and the port of a block node, and those that signed it, PEM; with it and --grpc-tls-key they answer TLS alone. Read at the start.',
    ),
    'grpc-tls-key': file({}, 'Private key of the certificate, PEM.'),
  }),
};
