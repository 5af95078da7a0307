// Of more blocks, each of which is signed.
import './formats.test.ts';
