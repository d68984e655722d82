/** As much of JSON Schema as the server's own description uses; a word it does not know is an error, not a pass. */

const KNOWN = new Set(['$ref', 'type', 'format', 'properties', 'required', 'additionalProperties', 'items']);

/**
 * The faults of a value, as `path: sentence`.
 *
 * @param {object} document Where `$ref` leads to.
 * @param {object} schema
 * @param {unknown} value
 * @returns {string[]}
 */
export function faults(document, schema, value, path = '$') {
  for (const word of Object.keys(schema)) if (!KNOWN.has(word)) throw new Error(`${path}: unknown word ${word}`);
  if (schema.$ref !== undefined) {
    const parts = schema.$ref.replace(/^#\//, '').split('/');
    return faults(
      document,
      parts.reduce((at, part) => at[part], document),
      value,
      path,
    );
  }
  const found = [];
  if (!hasType(schema.type, value)) return [`${path}: ${JSON.stringify(value)} is no ${schema.type}`];
  if (schema.format === 'date-time' && new Date(value).toISOString() !== value) found.push(`${path}: no date-time`);
  if (schema.type === 'array') {
    found.push(...value.flatMap((item, i) => faults(document, schema.items, item, `${path}[${i}]`)));
  }
  if (schema.type === 'object') {
    for (const name of schema.required ?? [])
      if (!Object.hasOwn(value, name)) found.push(`${path}: ${name} is missing`);
    for (const [name, one] of Object.entries(value)) {
      const described = schema.properties?.[name];
      if (described !== undefined) found.push(...faults(document, described, one, `${path}.${name}`));
      else if (schema.additionalProperties === false) found.push(`${path}: ${name} is not described`);
    }
  }
  return found;
}

function hasType(type, value) {
  if (type === 'integer') return Number.isSafeInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}
