// check-schema.mjs SCHEMA : standard input is JSON that the schema allows. Of JSON Schema
// it knows what the schemas of the project use, and refuses what it does not know.
import { readFileSync } from 'node:fs';

const schema = JSON.parse(readFileSync(process.argv[2], 'utf8'));

function kind(value) {
    if (Array.isArray(value)) return 'array';
    return value === null ? 'null' : typeof value;
}

function resolve(reference) {
    return reference.slice(2).split('/').reduce((at, part) => at[part], schema);
}

const has = (value, name) => Object.prototype.hasOwnProperty.call(value, name);

// Each adds the names of properties that it has looked at to `seen`.
const rules = {
    $schema: () => true,
    $defs: () => true,
    title: () => true,
    $ref: (rule, value, seen) => check(resolve(rule), value, seen),
    allOf: (rule, value, seen) => rule.every(one => check(one, value, seen)),
    type: (rule, value) => kind(value) === rule,
    enum: (rule, value) => rule.includes(value),
    minimum: (rule, value) => value >= rule,
    minItems: (rule, value) => value.length >= rule,
    maxItems: (rule, value) => value.length <= rule,
    items: (rule, value) => value.every(item => check(rule, item, new Set())),
    required: (rule, value) => rule.every(name => has(value, name)),
    properties: (rule, value, seen) => Object.keys(rule).filter(name => has(value, name))
        .every(name => {
            seen.add(name);
            return check(rule[name], value[name], new Set());
        }),
    dependentRequired: (rule, value) => Object.keys(rule).filter(name => has(value, name))
        .every(name => rule[name].every(other => has(value, other))),
    unevaluatedProperties: (rule, value, seen) =>
        Object.keys(value).every(name => seen.has(name)),
};

function check(rule, value, seen) {
    for (const name of Object.keys(rule)) {
        if (!rules[name]) throw new Error(`a schema with ${name} is not understood`);
        if (rules[name](rule[name], value, seen)) continue;
        console.error(`${name} ${JSON.stringify(rule[name])} does not allow: ` +
            JSON.stringify(value).slice(0, 200));
        return false;
    }
    return true;
}

process.exit(check(schema, JSON.parse(readFileSync(0, 'utf8')), new Set()) ? 0 : 1);
