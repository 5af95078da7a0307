// Of more blocks.
import './handed-over-keys.test.ts';
