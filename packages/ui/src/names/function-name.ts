/**
 * The parts of a function's name, read from its text: a profile says no language, and merged trees keep only the text.
 *
 * | written by | as | package | owner | method |
 * | --- | --- | --- | --- | --- |
 * | Java | `org.apache.db.Read.execute`, `org/apache/db/Read.execute` | `org.apache.db` | `Read` | `execute` |
 * | Go | `github.com/a/b.(*T).Run.func1` | `github.com/a/b` | `(*T)` | `Run.func1` |
 * | JavaScript | `run /app/node_modules/pg/lib/client.js:12` | `pg` | `client.js:12` | `run` |
 * | Python, Ruby | `/app/shop/views.py render` | `/app/shop` | `views.py` | `render` |
 * | C++, Rust | `ns::Type::run(int)` | `ns` | `Type` | `run(int)` |
 * | JVM recordings, of native code | `libjvm.so.Compile::Optimize`, `libc.so.6.read` | `libjvm.so`, `libc.so.6` | `Compile`, | `Optimize`, `read` |
 * | others | `run` | | | `run` |
 */
export interface FunctionName {
  readonly language: 'jvm' | 'go' | 'javascript' | 'script' | 'native' | 'plain';
  /** As the colour goes by: empty when the name tells none. */
  readonly package: string;
  readonly owner: string;
  readonly method: string;
}

/** Longer names are machine-made; taking them apart helps nobody and costs time. */
const PARSED_LENGTH_MAX = 2_048;

export function parseFunctionName(name: string): FunctionName {
  if (name.length > PARSED_LENGTH_MAX) return plain(name);
  return (
    library(name) ?? javascript(name) ?? script(name) ?? native(name) ?? slashed(name) ?? dotted(name) ?? plain(name)
  );
}

function plain(name: string): FunctionName {
  return { language: 'plain', package: '', owner: '', method: name };
}

/** `libx.so.symbol`: the library takes the package's place. */
function library(name: string): FunctionName | undefined {
  const match = /^(lib[^\s/]*?\.so(?:\.\d+)*)\.(.+)$/s.exec(name);
  if (match === null) return undefined;
  const symbol = native(match[2] as string) ?? plain(match[2] as string);
  return {
    language: 'native',
    package: match[1] as string,
    owner: symbol.owner || symbol.package,
    method: symbol.method,
  };
}

/** `method file:line`, or `file:line` alone for an anonymous function; the file has a slash, a scheme or an extension. */
function javascript(name: string): FunctionName | undefined {
  const colon = name.lastIndexOf(':');
  if (colon <= 0 || !isDigits(name, colon + 1)) return undefined;
  const blank = name.lastIndexOf(' ', colon);
  const file = name.slice(blank + 1, colon);
  if (!/[/\\.]|^node:/.test(file)) return undefined;
  const method = blank > 0 ? name.slice(0, blank) : '';
  return { language: 'javascript', package: filePackage(file), owner: `${lastOf(file)}${name.slice(colon)}`, method };
}

/** `node_modules/x` is x, `node_modules/@a/b` is @a/b, `node:fs` is node, else the file's folder. */
function filePackage(file: string): string {
  if (file.startsWith('node:')) return 'node';
  const modules = Math.max(file.lastIndexOf('node_modules/'), file.lastIndexOf('node_modules\\'));
  if (modules === -1) return folderOf(file);
  const [first = '', second = ''] = file.slice(modules + 'node_modules/'.length).split(/[/\\]/);
  return first.startsWith('@') ? `${first}/${second}` : first;
}

/** `file.py method`. */
function script(name: string): FunctionName | undefined {
  const blank = name.indexOf(' ');
  if (blank <= 0) return undefined;
  const file = name.slice(0, blank);
  if (!/\.(py|pyx|rb|php)$/.test(file)) return undefined;
  return { language: 'script', package: folderOf(file), owner: lastOf(file), method: name.slice(blank + 1) };
}

/** `a::b::c`: split where no bracket is open. */
function native(name: string): FunctionName | undefined {
  if (!name.includes('::')) return undefined;
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < name.length; i++) {
    const sign = name[i];
    // Arguments; within a template's brackets it is a type.
    if (sign === '(' && depth === 0) break;
    if (sign === '<' || sign === '{') depth++;
    else if ((sign === '>' || sign === '}') && depth > 0) depth--;
    else if (sign === ':' && depth === 0 && name[i + 1] === ':') {
      parts.push(name.slice(start, i));
      start = i + 2;
      i++;
    }
  }
  if (parts.length === 0) return undefined;
  const owner = parts.length > 1 ? (parts.pop() as string) : '';
  return { language: 'native', package: parts.join('::'), owner, method: name.slice(start) };
}

/** Go's import path, or a JVM name with slashes: told apart by the capital a JVM class begins with. */
function slashed(name: string): FunctionName | undefined {
  const bracket = name.search(/[([<]/);
  const slash = name.lastIndexOf('/', bracket === -1 ? undefined : bracket);
  if (slash === -1) return undefined;
  const last = name.slice(slash + 1);
  if (/^[A-Z$]/.test(last)) {
    const { owner, method } = classAndMethod(last);
    return { language: 'jvm', package: name.slice(0, slash).replaceAll('/', '.'), owner, method };
  }
  const dot = name.indexOf('.', slash);
  if (dot === -1) return undefined;
  return go(name.slice(0, dot), name.slice(dot + 1));
}

function go(path: string, rest: string): FunctionName {
  const receiver = /^(\([^)]*\)|[A-Z]\w*)\.(.+)$/s.exec(rest);
  if (receiver === null) return { language: 'go', package: path, owner: '', method: rest };
  return { language: 'go', package: path, owner: receiver[1] as string, method: receiver[2] as string };
}

/** Dots only: a JVM name if a part begins with a capital, else Go's `runtime.mallocgc`. */
function dotted(name: string): FunctionName | undefined {
  if (/^\.|[\s]/.test(name) || !name.includes('.')) return undefined;
  if (/^[a-z_]\w*\.\(/.test(name)) return go(name.slice(0, name.indexOf('.')), name.slice(name.indexOf('.') + 1));
  const parts = name.split('.');
  const at = parts.findIndex((part, index) => index < parts.length - 1 && /^[A-Z$]/.test(part));
  if (at !== -1) {
    const { owner, method } = classAndMethod(parts.slice(at).join('.'));
    return { language: 'jvm', package: parts.slice(0, at).join('.'), owner, method };
  }
  return go(parts[0] as string, parts.slice(1).join('.'));
}

function classAndMethod(text: string): { owner: string; method: string } {
  const bracket = text.indexOf('(');
  const dot = text.lastIndexOf('.', bracket === -1 ? undefined : bracket);
  return dot === -1 ? { owner: '', method: text } : { owner: text.slice(0, dot), method: text.slice(dot + 1) };
}

function isDigits(text: string, from: number): boolean {
  return from < text.length && /^\d+(:\d+)?$/.test(text.slice(from));
}

function folderOf(file: string): string {
  const slash = Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\'));
  return slash === -1 ? '' : file.slice(0, slash);
}

function lastOf(file: string): string {
  return file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
}
