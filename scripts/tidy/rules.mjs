import { builtinModules } from 'node:module';
import { posix } from 'node:path';
import { lineOf } from './source.mjs';
import { npmName, packageOf, WALLS } from './walls.mjs';

/** @typedef {import('./source.mjs').Source} Source */
/** @typedef {{ line: number, message: string }} Fault */

const LINES_MAX = 500;

const CODE = /\.[cm]?[jt]sx?$/;
const TEST = /\.test\.[cm]?[jt]sx?$|(?:^|\/)testing\//;
/** By which Node finds the folder of the built page; the page itself does not load it. */
const NODE_DOOR = 'packages/ui/src/index.ts';
const HTTP_MODULE = /^(?:node:)?https?2?$|^fastify$|^@fastify\/|^@connectrpc\//;

/** Every rule of the house about one file. */
export const RULES = {
  imports,
  places,
  nodeAndDom,
  thirdParties,
  storeKnowsNoHttp,
  httpKnowsNoSql,
  uiSpeaksThroughProtocol,
  scriptsNeedNoInstall,
  relativeImportsEndInJs,
  markupFromText,
  everyTestRuns,
  longFilesSayWhy,
  nothingOfThisMachine,
  names,
  manifests,
};

/** Packages import what the table allows. */
function* imports(source) {
  const from = ownerOf(source);
  if (from === undefined || !CODE.test(source.path)) return;
  for (const { specifier, resolveOnly, line } of source.imports) {
    const to = packageOf(specifier);
    if (to === undefined || to === from) continue;
    const { mayImport, mayLocate } = WALLS[from];
    if (mayImport.includes(to) || (resolveOnly && mayLocate.includes(to))) continue;
    yield { line, message: `${from} may not import ${npmName(to)}` };
  }
}

/** A relative import stays in its package. */
function* places(source) {
  const from = ownerOf(source);
  if (from === undefined) return;
  for (const { specifier, line } of source.imports) {
    const target = targetOf(source, specifier);
    if (target === undefined || target.startsWith(`packages/${from}/`)) continue;
    yield { line, message: `${specifier} leaves the package; import it by its name` };
  }
}

/** What runs anywhere uses nothing that only Node has; what is no page uses no page. */
function* nodeAndDom(source) {
  const from = ownerOf(source);
  if (from === undefined || !CODE.test(source.path) || TEST.test(source.path)) return;
  if (WALLS[from].anywhere && source.path !== NODE_DOOR) {
    for (const { specifier, line } of source.imports) {
      if (isNodeModule(specifier))
        yield { line, message: `${from} runs in browsers too and may not import ${specifier}` };
    }
    yield* find(source, source.bare, /\b(?:process|Buffer)\.|\b__dirname\b/g, `${from} runs in browsers too`);
  }
  if (from !== 'ui') {
    yield* find(
      source,
      source.bare,
      /\b(?:document|window|localStorage)\.\w|\bHTML\w*Element\b/g,
      `${from} has no page`,
    );
  }
}

/** The model and the agent run inside other people's programs: they bring nothing along. */
function* thirdParties(source) {
  const from = ownerOf(source);
  if (from === undefined || !WALLS[from].bare || TEST.test(source.path)) return;
  for (const { specifier, line } of source.imports) {
    if (isRelative(specifier) || isNodeModule(specifier) || packageOf(specifier) !== undefined) continue;
    yield { line, message: `${from} has no dependency of a third party, so not ${specifier}` };
  }
}

function* storeKnowsNoHttp(source) {
  if (!source.path.startsWith('packages/server/src/store/') || TEST.test(source.path)) return;
  for (const { specifier, line } of source.imports) {
    const target = targetOf(source, specifier);
    if (HTTP_MODULE.test(specifier) || target?.startsWith('packages/server/src/http/')) {
      yield { line, message: `store knows no HTTP, so not ${specifier}` };
    }
  }
}

function* httpKnowsNoSql(source) {
  if (!source.path.startsWith('packages/server/src/http/') || TEST.test(source.path)) return;
  for (const { specifier, line } of source.imports) {
    if (specifier === 'chdb') yield { line, message: 'http knows no SQL, so not chdb' };
  }
  yield* find(source, source.code, /\bSELECT\s|\bINSERT\s+INTO\b/g, 'http knows no SQL');
}

function* uiSpeaksThroughProtocol(source) {
  if (!source.path.startsWith('packages/ui/src/') || TEST.test(source.path)) return;
  const pattern = /(?<![.\w])fetch\s*\(|\bnew\s+(?:XMLHttpRequest|EventSource|WebSocket)\b/g;
  yield* find(source, source.bare, pattern, 'ui reaches the server only through the client of protocol');
}

/** The scripts of the root do the installing, so they have nothing but Node. */
function* scriptsNeedNoInstall(source) {
  if (!source.path.startsWith('scripts/') || TEST.test(source.path)) return;
  for (const { specifier, line } of source.imports) {
    if (!isRelative(specifier) && !isNodeModule(specifier)) {
      yield { line, message: `scripts run before anything is installed, so not ${specifier}` };
    }
  }
}

function* relativeImportsEndInJs(source) {
  if (!/\.[cm]?tsx?$/.test(source.path)) return;
  for (const { specifier, line } of source.imports) {
    if (!isRelative(specifier) || /\.(?:[cm]?js|json|css|svg)(?:\?url)?$/.test(specifier)) continue;
    yield { line, message: `${specifier} must end in .js` };
  }
}

/** Names of functions come from outside; as markup they would run. */
function* markupFromText(source) {
  if (!source.path.startsWith('packages/') || !CODE.test(source.path) || TEST.test(source.path)) return;
  const pattern = /\b(?:innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|document\.write)\b/g;
  yield* find(source, source.code, pattern, 'markup is never made from text');
}

function* everyTestRuns(source) {
  if (!TEST.test(source.path)) return;
  const pattern = /\b(?:it|test|describe|suite)\.(?:only|skip|todo)\b|\b(?:only|skip|todo):\s*true\b/g;
  yield* find(source, source.bare, pattern, 'a test runs, or skips itself with a reason found at run time');
}

function* longFilesSayWhy(source) {
  if (!CODE.test(source.path)) return;
  const lines = lineOf(source.text, source.text.length);
  if (lines <= LINES_MAX || /\b(?:long|lines)\b/i.test(source.firstComment)) return;
  yield { line: 1, message: `${lines} lines: cut it along a concept, or say in the first comment why it is so long` };
}

/** Paths of one machine and hosts of registries work for one person. Written so that the rule does not find itself. */
function* nothingOfThisMachine(source) {
  const paths = /(?<![\w.])\/(?:work\/|root\/|home\/[a-z]|Users\/[a-z])/g;
  yield* find(source, source.text, paths, 'a path of one machine');
  const hosts =
    /\b(?:registry\.(?:npmjs|yarnpkg)|repo1?\.maven(?:\.apache)?|proxy\.golang|files\.pythonhosted|deb\.debian|index\.crates)\.[a-z]+/g;
  yield* find(source, source.text, hosts, 'the host of a registry');
}

function* names(source) {
  for (const part of source.path.split('/')) {
    const name = part.replace(/\..*$/, '');
    if (/^(?:common|utils?|helpers?|misc)$/i.test(name)) {
      yield { line: 1, message: `"${name}" says nothing: share what has a meaning of its own` };
    }
  }
}

/** What a package declares obeys the table too. */
function* manifests(source) {
  const from = /^packages\/([^/]+)\/package\.json$/.exec(source.path)?.[1];
  if (from === undefined) return;
  const wall = WALLS[from];
  if (wall === undefined) {
    yield { line: 1, message: `${from} is not in the table of walls` };
    return;
  }
  for (const name of Object.keys(JSON.parse(source.text).dependencies ?? {})) {
    const to = packageOf(name);
    if (to === undefined ? !wall.bare : [...wall.mayImport, ...wall.mayLocate].includes(to)) continue;
    yield { line: 1, message: `${from} may not depend on ${name}` };
  }
}

/** @returns {Generator<Fault>} */
function* find(source, text, pattern, message) {
  for (const match of text.matchAll(pattern)) {
    yield { line: lineOf(source.text, match.index), message: `${message}: ${match[0].trim()}` };
  }
}

/** The package whose source a file is. */
function ownerOf(source) {
  const name = /^packages\/([^/]+)\/src\//.exec(source.path)?.[1];
  return name !== undefined && Object.hasOwn(WALLS, name) ? name : undefined;
}

/** The path below the root a relative specifier leads to. */
function targetOf(source, specifier) {
  return isRelative(specifier) ? posix.join(posix.dirname(source.path), specifier) : undefined;
}

function isRelative(specifier) {
  return /^\.\.?(?:\/|$)/.test(specifier);
}

function isNodeModule(specifier) {
  return specifier.startsWith('node:') || builtinModules.includes(specifier);
}
