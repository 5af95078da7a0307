// The page that shows the API document and sends requests from it: Swagger UI from this server only, under a policy
// that forbids other origins.

import { indentJson } from './indent-json.ts';

export const documentPaths = { json: '/api/v1/docs/openapi.json', yaml: '/api/v1/docs/openapi.yml' };
export const startScriptPath = '/docs/start.js';

type UiFile = { from: 'swagger' | 'here'; contentType: string };
const style = 'text/css; charset=utf-8';
const script = 'text/javascript; charset=utf-8';

/** Of Swagger UI, and what mends it, served at `/docs/<name>`. */
export const uiFiles: Readonly<Record<string, UiFile>> = {
  'swagger-ui.css': { from: 'swagger', contentType: style },
  'swagger-ui-bundle.js': { from: 'swagger', contentType: script },
  'docs.css': { from: 'here', contentType: style },
  'accessible.js': { from: 'here', contentType: script },
};

/** Swagger UI writes style attributes and draws its icons from data URLs. */
export const docsPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const docsPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Ledger Mirror – API</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/docs.css">
</head>
<body>
<div id="document"><main><h1>API</h1><p>The API document: <a href="${documentPaths.json}">JSON</a>, <a href="${documentPaths.yaml}">YAML</a>.</p></main></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/accessible.js"></script>
<script src="${startScriptPath}"></script>
</body>
</html>
`;

// Without `validatorUrl: null` the page would send the document to a public service. Swagger UI reads JSON answers with
// the browser's parser, which rounds integers beyond 2^53; so it gets their text, indented here, as text.
export const startScript = `${indentJson.toString()}

const exactAnswers = () => ({
  wrapComponents: {
    responseBody: (Original, { React }) => (props) => {
      const isJson = /json/i.test(props.contentType) && typeof props.content === 'string';
      const exact = isJson && { content: indentJson(props.content), contentType: 'text/exact' };
      return React.createElement(Original, { ...props, ...exact });
    },
  },
});

// A request that is tried out has only its path parameters; not all examples of the query go together.
const withoutQueryExamples = (document) => {
  for (const operations of Object.values(document.paths ?? {})) {
    for (const { parameters } of Object.values(operations)) {
      for (const { in: place, schema } of parameters ?? []) if (place === 'query') delete schema.examples;
    }
  }
  return document;
};
const emptyQueries = () => ({
  statePlugins: {
    spec: { wrapActions: { updateJsonSpec: (original) => (document) => original(withoutQueryExamples(document)) } },
  },
});

const dark = matchMedia('(prefers-color-scheme: dark)');
const followScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followScheme);
followScheme();

// Under a prefix the page shows the document of the dialect that the prefix names.
const prefix = /^\\/(?:spec|hiero)(?=\\/api\\/v1\\/)/i.exec(location.pathname)?.[0] ?? '';

SwaggerUIBundle({
  url: prefix + '${documentPaths.json}',
  dom_id: '#document',
  deepLinking: true,
  plugins: [exactAnswers, emptyQueries, accessible],
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  tryItOutEnabled: true,
});
`;
