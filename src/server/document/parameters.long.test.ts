// With more values of each parameter.
import './parameters.test.ts';
