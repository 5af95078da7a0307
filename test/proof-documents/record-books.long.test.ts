// With more flipped bits.
import './record-books.test.ts';
