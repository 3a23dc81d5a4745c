// Renders a Helm chart, for the subset that ours uses: includes, values, `if`, `with`, `range`, and the functions in the
// table below. Anything else is an error, so that a template that needs more is noticed.

type Value = unknown;
interface Scope {
  readonly dot: Value;
  readonly root: Value;
  readonly names: Readonly<Record<string, Value>>;
}
type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'print'; readonly expression: string }
  | { readonly kind: 'block'; readonly word: string; readonly expression: string; readonly body: readonly Node[] };

export interface ChartRenderer {
  render(template: string, root: Value): string;
}

export function createChartRenderer(parts: string): ChartRenderer {
  const defined = new Map<string, readonly Node[]>();
  for (const node of parse(parts))
    if (node.kind === 'block' && node.word === 'define') defined.set(node.expression.trim().slice(1, -1), node.body);

  function run(nodes: readonly Node[], scope: Scope): string {
    return nodes.map((node) => runNode(node, scope)).join('');
  }

  function runNode(node: Node, scope: Scope): string {
    if (node.kind === 'text') return node.text;
    if (node.kind === 'print') return printed(evaluate(node.expression, scope));
    const [, pair] = /^\$(\w+),/.exec(node.expression) ?? [];
    const value = evaluate(node.expression.replace(/^\$\w+, \$\w+ := /, ''), scope);
    if (node.word === 'if') return isTrue(value) ? run(node.body, scope) : '';
    if (node.word === 'with') return isTrue(value) ? run(node.body, { ...scope, dot: value }) : '';
    if (node.word === 'range' && pair !== undefined)
      return Object.entries(value as object)
        .map(([name, one]) => run(node.body, { ...scope, names: { name, value: one } }))
        .join('');
    if (node.word === 'range') return (value as Value[]).map((dot) => run(node.body, { ...scope, dot })).join('');
    throw new Error(`unknown block ${node.word}`);
  }

  function evaluate(expression: string, scope: Scope): Value {
    const [first = '', ...more] = splitOutside(expression, '|');
    return more.reduce<Value>((value, call) => apply(call, scope, [value]), apply(first, scope, []));
  }

  function apply(call: string, scope: Scope, last: readonly Value[]): Value {
    const words = splitOutside(call.trim(), ' ').filter((word) => word !== '');
    const [name = ''] = words;
    if (words.length === 1 && last.length === 0) return term(name, scope);
    const provided = [...words.slice(1).map((word) => term(word, scope)), ...last];
    if (name === 'include')
      return run(defined.get(String(provided[0])) ?? fail(`no part ${String(provided[0])}`), {
        ...scope,
        dot: provided[1],
      });
    return (FUNCTIONS[name] ?? fail(`unknown function ${name}`))(...provided);
  }

  function term(word: string, scope: Scope): Value {
    if (word.startsWith('(')) return evaluate(word.slice(1, -1), scope);
    if (word.startsWith('"')) return word.slice(1, -1);
    if (/^\d+$/.test(word)) return Number(word);
    if (word.startsWith('$.')) return at(scope.root, word.slice(1));
    if (word.startsWith('$')) return scope.names[word.slice(1)];
    if (word.startsWith('.')) return at(scope.dot, word);
    return fail(`unknown word ${word}`);
  }

  return { render: (template, root) => run(parse(template), { dot: root, root, names: {} }) };
}

const FUNCTIONS: Readonly<Record<string, (...provided: readonly Value[]) => Value>> = {
  default: (usual, value) => (isTrue(value) ? value : usual),
  quote: (value) => JSON.stringify(String(value)),
  join: (between, list) => (list as Value[]).join(String(between)),
  concat: (...lists) => lists.flat(),
  list: (...items) => items,
  printf: (template, ...items) =>
    items.reduce<string>((text, item) => text.replace('%s', String(item)), String(template)),
  nindent: (width, text) =>
    `\n${String(text)
      .trim()
      .replaceAll(/^(?=.)/gm, ' '.repeat(Number(width)))}`,
  // JSON is YAML.
  toYaml: (value) => JSON.stringify(value),
};

function at(value: Value, path: string): Value {
  return path
    .split('.')
    .filter((name) => name !== '')
    .reduce<Value>((inner, name) => {
      if (inner === null || typeof inner !== 'object' || !(name in inner)) return fail(`no value ${path}`);
      return (inner as Record<string, Value>)[name];
    }, value);
}

function printed(value: Value): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value);
  return fail('only plain values can be printed');
}

function isTrue(value: Value): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

function splitOutside(text: string, mark: string): string[] {
  const parts = [''];
  let depth = 0;
  let quoted = false;
  for (const character of text) {
    if (character === '"') quoted = !quoted;
    if (!quoted && character === '(') depth += 1;
    if (!quoted && character === ')') depth -= 1;
    if (character === mark && depth === 0 && !quoted) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts;
}

function parse(template: string): Node[] {
  const pieces = template
    .replaceAll(/\s*\{\{-/g, '{{')
    .replaceAll(/-\}\}\s*/g, '}}')
    .split(/(\{\{.*?\}\})/s);
  const stack: { word: string; expression: string; body: Node[] }[] = [{ word: '', expression: '', body: [] }];
  for (const piece of pieces) {
    const inner = /^\{\{\s*(.*?)\s*\}\}$/s.exec(piece)?.[1];
    const body = stack.at(-1)?.body ?? fail('an end without a beginning');
    const [, word, expression = ''] = /^(if|with|range|define)\s+(.*)$/s.exec(inner ?? '') ?? [];
    if (inner === undefined) body.push({ kind: 'text', text: piece });
    else if (word !== undefined) stack.push({ word, expression, body: [] });
    else if (inner === 'end') {
      const block = stack.pop() ?? fail('an end without a beginning');
      stack.at(-1)?.body.push({ kind: 'block', ...block });
    } else if (!inner.startsWith('/*')) body.push({ kind: 'print', expression: inner });
  }
  if (stack.length !== 1) fail('a block without an end');
  return stack[0]?.body ?? [];
}

function fail(why: string): never {
  throw new Error(why);
}
