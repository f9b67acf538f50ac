// Makes src/api/types.ts of docs/openapi.json: `node scripts/types.mjs` writes it, with `--check` it only says whether
// the file is what the document gives. It knows what our document uses; anything else in it is an error, not a guess.
import { readFileSync, writeFileSync } from 'node:fs';

const DOCUMENT = new URL('../../docs/openapi.json', import.meta.url);
const TYPES = new URL('../src/api/types.ts', import.meta.url);
const KNOWN = ['integer', 'number', 'string', 'boolean', 'null', 'array', 'object'];
const UNKNOWN_TO_US = ['allOf', 'not', 'prefixItems', 'if'];

const union = (types) => [...new Set(types)].join(' | ');
const grouped = (type) => (type.includes(' | ') ? `(${type})` : type);
const key = (name) => (/^\w+$/.test(name) ? name : `'${name}'`);

/** The TypeScript of a schema. */
function typed(schema) {
  if (schema === true) return 'unknown';
  const strange = UNKNOWN_TO_US.find((word) => word in schema);
  if (strange) throw new Error(`scripts/types.mjs cannot say \`${strange}\` in TypeScript yet`);
  if (schema.$ref) return schema.$ref.split('/').pop();
  if ('const' in schema) return literal(schema.const);
  if (schema.enum) return union(schema.enum.map(literal));
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return union(choices.map(typed));
  if (!schema.type) return 'unknown';
  return union([schema.type].flat().map((type) => plain(type, schema)));
}

const literal = (value) => JSON.stringify(value).replaceAll('"', "'");

function plain(type, schema) {
  if (!KNOWN.includes(type)) throw new Error(`scripts/types.mjs does not know the type ${type}`);
  if (type === 'integer') return 'number';
  if (type === 'array') return `${grouped(typed(schema.items ?? {}))}[]`;
  if (type === 'object') return `{ ${fields(schema).join(' ')} }`;
  return type;
}

function fields(schema) {
  const required = schema.required ?? [];
  const all = Object.entries(schema.properties ?? {}).map(([name, of]) => `${key(name)}${required.includes(name) ? '' : '?'}: ${typed(of)};`);
  // Keys that follow a pattern cannot be told from others by a type.
  return schema.patternProperties ? [...all, '[key: string]: unknown;'] : all;
}

function declared([name, schema]) {
  if (schema.type !== 'object') return `export type ${name} = ${typed(schema)};\n`;
  return `export interface ${name} {\n${fields(schema).map((field) => `  ${field}`).join('\n')}\n}\n`;
}

/** What the routes that answer with JSON are asked with, take and give. */
function routes(document) {
  const lines = [];
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const given = operation.responses['200'].content['application/json']?.schema;
      if (!given) continue;
      const asks = operation.parameters.map((one) => `${one.name}${one.required ? '' : '?'}: ${typed(one.schema)}`);
      const taken = operation.requestBody?.content['application/json'].schema;
      lines.push(`  '${method.toUpperCase()} ${path}': { asks: { ${asks.join('; ')} }; takes: ${taken === undefined ? 'never' : typed(taken)}; gives: ${typed(given)} };`);
    }
  }
  return `export interface Routes {\n${lines.join('\n').replaceAll('{  }', 'object')}\n}\n`;
}

/** What the live stream tells: the names of its events, and their data. */
function told(document) {
  const events = Object.entries(document.paths['/events/stream'].get.responses['200'].content['text/event-stream']['x-events']);
  const names = `export const TOLD = [${events.map(([name]) => `'${name}'`).join(', ')}] as const;\n`;
  return `${names}\nexport interface Told {\n${events.map(([name, schema]) => `  ${key(name)}: ${typed(schema)};`).join('\n')}\n}\n`;
}

/** The settings that are one of a few words. */
function choices(document) {
  const settings = Object.entries(document.components.schemas.Changes.properties.changes.properties).filter(([, schema]) => schema.enum);
  return `export const CHOICES = {\n${settings.map(([name, schema]) => `  ${key(name)}: [${schema.enum.map(literal).join(', ')}],`).join('\n')}\n} as const;\n`;
}

function types(document) {
  const head = '// Made of docs/openapi.json by `npm run types`. Do not change it by hand.\n';
  return [head, ...Object.entries(document.components.schemas).map(declared), routes(document), told(document), choices(document)].join('\n');
}

const made = types(JSON.parse(readFileSync(DOCUMENT, 'utf8')));
if (!process.argv.includes('--check')) writeFileSync(TYPES, made);
else if (made !== readFileSync(TYPES, 'utf8')) {
  console.error('web/src/api/types.ts is not what docs/openapi.json gives: run `npm run types` in web/ and commit it');
  process.exitCode = 1;
}
