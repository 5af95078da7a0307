// Of more blocks.
import './formats.test.ts';
