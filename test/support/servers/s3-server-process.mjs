// A real S3 server (s3rver) in a process of its own: it makes continuation tokens with DES, which OpenSSL 3 only has as
// a legacy provider (`node --openssl-legacy-provider`), and lists folders without giving way. Says its port; ends with
// its parent.
import S3rver from '@20minutes/s3rver';

const [directory, bucket] = process.argv.slice(2);
const server = new S3rver({
  port: 0,
  address: '127.0.0.1',
  silent: true,
  directory,
  // It signs the path of a bucket without the slash at its end that the SDK sends.
  allowMismatchedSignatures: true,
  configureBuckets: [{ name: bucket, configs: [] }],
});
const { port } = await server.run();
process.send({ port });
process.on('disconnect', () => process.exit(0));
