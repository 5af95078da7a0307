import * as nodeModule from 'node:module';

/**
 * Types become white space, so lines and columns stay. Relative imports name the files as they are called in a package.
 */
export function toJavaScript(source) {
  return withJavaScriptNames(nodeModule.stripTypeScriptTypes(source));
}

/** Of code or declarations. */
export function withJavaScriptNames(source) {
  return source.replace(/(\bfrom|\bimport\s*\(|\bimport)(\s*)(['"])(\.{1,2}\/[^'"\n]+)\.ts\3/g, '$1$2$3$4.js$3');
}
