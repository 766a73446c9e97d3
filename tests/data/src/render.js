// A small template engine that renders pages, for JIT frames of Node.
// SPDX-License-Identifier: MIT
'use strict';
const crypto = require('node:crypto');

class Template {
  constructor(source) {
    this.parts = source.split(/({{.*?}})/).map((text) => this.compile(text));
  }
  compile(text) {
    const match = /^{{(\w+)(?:\|(\w+))?}}$/.exec(text);
    if (!match) return () => text;
    const filter = match[2] ? Template.filters[match[2]] : String;
    return (context) => filter(context[match[1]]);
  }
  render(context) {
    return this.parts.map((part) => part(context)).join('');
  }
}

Template.filters = {
  upper: (value) => String(value).toUpperCase(),
  escape: function escapeHtml(value) {
    return String(value).replace(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`);
  },
  list(values) {
    return values.map((v) => `<li>${Template.filters.escape(v)}</li>`).join('\n');
  },
};

function* walk(tree, depth = 0) {
  yield `${' '.repeat(depth)}${tree.name}`;
  for (const child of tree.children) yield* walk(child, depth + 1);
}

function grow(depth, name) {
  const children = [];
  if (depth > 0) for (let i = 0; i < 4; i++) children.push(grow(depth - 1, `${name}.${i}`));
  return { name, children };
}

const sizeOf = (tree) => 1 + tree.children.reduce((sum, child) => sum + sizeOf(child), 0);

const page = new Template('<h1>{{title|upper}}</h1><p>{{body|escape}}</p><ul>{{items|list}}</ul>');

async function publish(round) {
  const tree = grow(4, `n<${round}>`);
  const html = page.render({ title: `page ${round}`, body: 'a < b & c > d '.repeat(50), items: [...walk(tree)] });
  const hash = crypto.createHash('sha256').update(html).digest('hex');
  await null;
  return JSON.parse(JSON.stringify({ hash, size: sizeOf(tree), html })).size;
}

(async function main() {
  const rounds = Number(process.argv[2] || 5000);
  let total = 0;
  for (let round = 0; round < rounds; round++) total += await publish(round);
  console.log(total > 0);
})();
