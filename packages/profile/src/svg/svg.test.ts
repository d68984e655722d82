import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type CallTree, callTree, callTreeFromParents } from '../call-tree.js';
import { profileFromStacks } from '../testing/stack-drawing.js';
import { writeSvg } from './encode.js';
import { valueText } from './value-text.js';

const OPTIONS = { title: 'shop', subtitle: 'CPU time', unit: 'nanoseconds' };
const svgOf = (stacks: string) => writeSvg(callTree(profileFromStacks(stacks), 0), OPTIONS);

function treeOfNames(names: readonly string[]): CallTree {
  return callTreeFromParents({
    names,
    name: Int32Array.from(names, (_, i) => i),
    parent: new Int32Array(names.length).fill(-1),
    self: names.map(() => 1),
  });
}

/** Text, in which no mark-up is, of a file that has only these elements and only letters that XML knows; throws at anything else. */
function textsOf(svg: string): string[] {
  const texts: string[] = [];
  const open: string[] = [];
  const rest = svg
    .replace(/^<\?xml [^?]*\?>\s*/, '')
    .replace(/<(\/?)([a-z]+)((?: [\w-]+="[^"<]*")*)(\/?)>|([^<]+)/g, (_, close, name, __, self, text) => {
      if (text !== undefined) {
        assert.doesNotMatch(text, /&(?!(?:amp|lt|gt|quot|#39);)|>/);
        texts.push(text);
      } else {
        assert.ok(['svg', 'g', 'title', 'desc', 'rect', 'text'].includes(name), name);
        if (close === '/') assert.equal(open.pop(), name);
        else if (self !== '/') open.push(name);
      }
      return '';
    });
  assert.equal(rest, '');
  assert.deepEqual(open, []);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  assert.doesNotMatch(svg, /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/);
  assert.equal(Buffer.from(svg).toString(), svg, 'no half pair of surrogates');
  return texts;
}

describe('writeSvg', () => {
  it('draws a bar a node, where the layout has it, with a tooltip', () => {
    const svg = svgOf('main;a 250000000\nmain;b 750000000');
    const bars = [...svg.matchAll(/<g><title>(.*?)<\/title><rect x="(.*?)" y="(.*?)" width="(.*?)"/g)].map((m) =>
      m.slice(1),
    );
    assert.deepEqual(bars, [
      ['total — 1.00 s, 100.00 % of 1.00 s; self 0 ns', '10', '56', '1179.5'],
      ['main — 1.00 s, 100.00 % of 1.00 s; self 0 ns', '10', '74', '1179.5'],
      ['a — 250 ms, 25.00 % of 1.00 s; self 250 ms', '10', '92', '294.5'],
      ['b — 750 ms, 75.00 % of 1.00 s; self 750 ms', '305', '92', '884.5'],
    ]);
    assert.ok(textsOf(svg).includes('shop'));
  });

  it('shortens names to their bars', () => {
    const name = 'org.example.service.orders.OrderService.placeOrder';
    const label = (share: number) =>
      /<text x="13" y="86.5">([^<]*)</.exec(svgOf(`${name} ${share}\nz ${1000 - share}`))?.[1];
    assert.equal(label(500), name);
    assert.equal(label(200), 'OrderService.placeOrder');
    assert.equal(label(100), 'OrderService.p…');
    assert.equal(label(10), undefined);
  });

  it('leaves out what is too thin to see, and takes a tree of nothing', () => {
    assert.equal([...svgOf('a 1\nb 100000').matchAll(/<g>/g)].length, 2);
    assert.equal([...svgOf('').matchAll(/<g>/g)].length, 1);
    assert.ok(textsOf(svgOf('')).some((text) => text.startsWith('total — 0 ns')));
  });

  it('refuses a picture of more bars than it may have', () => {
    const tree = callTree(profileFromStacks('a;b;c 1'), 0);
    assert.throws(() => writeSvg(tree, { ...OPTIONS, barsMax: 3 }), {
      code: 'query_limit',
      message: /more than 3 bars/,
    });
    assert.equal([...writeSvg(tree, { ...OPTIONS, barsMax: 4 }).matchAll(/<g>/g)].length, 4);
  });

  it('escapes every name, title and subtitle, whatever stands in it', () => {
    const hostile = '"><script>alert(1)</script><!-- ]]> \'&amp;\u0000\ud800\u202e';
    const svg = writeSvg(treeOfNames([hostile, 'javascript:alert(1)']), {
      title: hostile,
      subtitle: hostile,
      unit: hostile,
    });
    assert.ok(textsOf(svg).some((text) => text.startsWith('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;')));
    assert.doesNotMatch(svg, /script>|\son\w+=|href/);
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary' }), { maxLength: 8 }),
        fc.string({ unit: 'binary' }),
        (names, title) => {
          textsOf(writeSvg(treeOfNames(names), { ...OPTIONS, title, subtitle: title }));
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('valueText', () => {
  it('has three significant digits in the unit that fits', () => {
    const texts = (unit: string, ...values: number[]) => values.map((value) => valueText(value, unit));
    assert.deepEqual(texts('nanoseconds', 0, 999, 1_300, 999.7e6, 90e9, 7200e9), [
      '0 ns',
      '999 ns',
      '1.30 µs',
      '1.00 s',
      '1.50 min',
      '2.00 h',
    ]);
    assert.deepEqual(texts('bytes', 12, 1536, 12.5 * 2 ** 20), ['12 B', '1.50 KiB', '12.5 MiB']);
    assert.deepEqual(texts('count', 7, 12_345, 5e6), ['7', '12.3 k', '5.00 M']);
  });
});
