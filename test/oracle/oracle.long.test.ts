// Of as many blocks as nearly every pair of type and result takes.
import './oracle.test.ts';
