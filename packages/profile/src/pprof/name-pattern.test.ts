import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MATCH_STEPS_MAX, NamePattern } from './name-pattern.js';

const matches = (pattern: string, name: string) => NamePattern.parse(pattern)?.matches(name, { steps: 10_000 });

describe('NamePattern', () => {
  it('matches whole names: literals, alternatives, any character, any text', () => {
    const yes: [string, string][] = [
      ['malloc', 'malloc'],
      ['^malloc$', 'malloc'],
      ['^(?:malloc|free)$', 'free'],
      ['(malloc|free)', 'malloc'],
      ['malloc|free|.*alloc', 'je_alloc'],
      ['.*', ''],
      ['.*', 'anything'],
      ['a.c', 'abc'],
      ['a.+c', 'abc'],
      ['std::.*::push_back', 'std::vector<int>::push_back'],
      ['.*a.*b.*', 'xxaxxbxx'],
      ['\\(anonymous\\)::f', '(anonymous)::f'],
      ['a\\|b', 'a|b'],
      ['a\\.b', 'a.b'],
      ['', ''],
    ];
    const no: [string, string][] = [
      ['malloc', 'malloc2'],
      ['malloc', 'xmalloc'],
      ['(malloc|free)', 'realloc'],
      ['a.c', 'ac'],
      ['a.+c', 'ac'],
      ['a\\.b', 'axb'],
      ['.*a.*b', 'ba'],
      ['', 'x'],
    ];
    for (const [pattern, name] of yes) assert.equal(matches(pattern, name), true, `${pattern} on ${name}`);
    for (const [pattern, name] of no) assert.equal(matches(pattern, name), false, `${pattern} on ${name}`);
  });

  it('agrees with a regular expression on what is supported', () => {
    const parts = ['a', 'b', '.', '.*', '|', '\\.'];
    let compared = 0;
    for (let code = 0; code < parts.length ** 4; code++) {
      const pattern = [0, 1, 2, 3].map((i) => parts[Math.floor(code / parts.length ** i) % parts.length]).join('');
      const expression = new RegExp(`^(?:${pattern})$`);
      for (const name of ['', 'a', 'b', 'ab', 'ba', 'aab', 'a.b', '.', 'abab']) {
        assert.equal(matches(pattern, name), expression.test(name), `${pattern} on ${name}`);
        compared++;
      }
    }
    assert.equal(compared, 6 ** 4 * 9);
  });

  it('does not take what it does not support', () => {
    for (const pattern of ['(a+)+$', 'a+', 'a?', '[ab]', 'a{2}', '(a)|(b)', '\\d', '\\bx', 'a\\', '*', 'x^', 'a$b']) {
      assert.equal(NamePattern.parse(pattern), undefined, pattern);
    }
    assert.equal(NamePattern.parse('a'.repeat(20_000)), undefined);
  });

  it('stops when its steps are used up', () => {
    const pattern = NamePattern.parse(`.*${'a'.repeat(5000)}b`);
    const budget = { steps: 100_000 };
    assert.equal(pattern?.matches('a'.repeat(60_000), budget), false);
    assert.equal(budget.steps, -1);
    assert.ok(MATCH_STEPS_MAX < 1e8);
  });
});
