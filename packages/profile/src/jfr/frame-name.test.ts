import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { mayBeGenerated, normaliseSymbol } from './frame-name.js';

const NAMES: readonly (readonly [raw: string, shown: string])[] = [
  ['jdk/internal/reflect/GeneratedMethodAccessor17', 'jdk/internal/reflect/GeneratedMethodAccessor_'],
  ['sun/reflect/GeneratedMethodAccessor3', 'sun/reflect/GeneratedMethodAccessor_'],
  ['jdk/internal/reflect/GeneratedConstructorAccessor204', 'jdk/internal/reflect/GeneratedConstructorAccessor_'],
  [
    'jdk/internal/reflect/GeneratedSerializationConstructorAccessor1',
    'jdk/internal/reflect/GeneratedSerializationConstructorAccessor_',
  ],
  ['App$$Lambda$14/0x0000000840068c40', 'App$$Lambda_'],
  ['App$$Lambda$14.0x0000000840068c40', 'App$$Lambda_'],
  ['App$$Lambda$14/1234567', 'App$$Lambda_'],
  ['App$$Lambda/0x00007f479400ed90', 'App$$Lambda_'],
  ['App$$Lambda.0x00007f479400ed90', 'App$$Lambda_'],
  ['App$$Lambda$93+0x00007f479400ed90/446691317', 'App$$Lambda_'],
  ['App$$Lambda$14', 'App$$Lambda_'],
  ['java/lang/invoke/LambdaForm$MH/0x0000000800c10000', 'java/lang/invoke/LambdaForm$MH_'],
  ['java/lang/invoke/LambdaForm$DMH.0x0000000801023400', 'java/lang/invoke/LambdaForm$DMH_'],
  ['java/lang/invoke/LambdaForm$LFI12/1234567', 'java/lang/invoke/LambdaForm$LFI_'],
  ['app/Shop$$EnhancerBySpringCGLIB$$1a2b3c4d', 'app/Shop$$EnhancerBySpringCGLIB$$_'],
  ['app/Shop$$FastClassBySpringCGLIB$$9f0e', 'app/Shop$$FastClassBySpringCGLIB$$_'],
  ['app/Shop$$SpringCGLIB$$0', 'app/Shop$$SpringCGLIB$$_'],
  ['com/sun/proxy/$Proxy12', 'com/sun/proxy/$Proxy_'],
  ['jdk/proxy2/$Proxy7', 'jdk/proxy_/$Proxy_'],
  ['app/Shop$ByteBuddy$Ab12Cd34', 'app/Shop$ByteBuddy$_'],
  ['app/Shop$HibernateProxy$kLmNoPq', 'app/Shop$HibernateProxy$_'],
  ['app/Shop$MockitoMock$1234567', 'app/Shop$MockitoMock$_'],
  ['Script1700000000000', 'Script_'],
  ['Script1$_run_closure1', 'Script_$_run_closure1'],
  ['libzstd-jni-1.5.2-512345678901.so', 'libzstd-jni-_.so'],
  ['libasyncProfiler-linux-x64-505cc169188276c919be50bc1b47e8f236295f.so', 'libasyncProfiler-_.so'],
  ['/tmp/snappy-1.1.8-d1f9bd24-4cc8-4571-b71c-1698b83f1af1-libsnappyjava.so', '/tmp/snappy-_-libsnappyjava.so'],
  ['libamazonCorrettoCryptoProvider12ab.so', 'libamazonCorrettoCryptoProvider_.so'],
  ['liblz4-java-7891011.so', 'liblz4-java-_.so'],
  ['libnetty_tcnative_linux_x86_64123456789.so', 'libnetty_tcnative_linux_x86_64_.so'],
  ['libfoo.so (deleted)', 'libfoo.so'],
  ['app/Hidden/0x0000000800c10000', 'app/Hidden_'],
  ['app/Hidden+0x0000000800c10000/12', 'app/Hidden_'],
  ['app/Hidden.0x0000000800c10000', 'app/Hidden_'],
  ['app/Hidden/1234567', 'app/Hidden_'],
];

const UNCHANGED = [
  'java/lang/String',
  'lambda$main$1',
  'App$Inner$2',
  'libc.so.6',
  'libjvm.so',
  'libc-2.31.so',
  'libasyncProfiler.so',
  'Foo::bar(int, char const*)',
  'operator/',
  '$Proxied',
  'app/v2/Handler3',
  'app/ScriptEngine2',
  'App$$Lambda',
  'access$000',
  '[vdso]',
  '0x7f12ab34cd56',
  'CPU-3',
];

describe('normaliseSymbol', () => {
  for (const [raw, shown] of NAMES) it(`shows ${raw} as ${shown}`, () => assert.equal(normaliseSymbol(raw), shown));

  it('changes nothing twice, and leaves alone what is no made-up name', () => {
    for (const [, shown] of NAMES) assert.equal(normaliseSymbol(shown), shown);
    for (const name of UNCHANGED) assert.equal(normaliseSymbol(name), name);
  });
});

describe('mayBeGenerated', () => {
  const says = (symbol: string) => {
    const bytes = new TextEncoder().encode(symbol);
    return mayBeGenerated(bytes, 0, bytes.length);
  };

  it('is true of every symbol that normalising changes, and of every one that is not ASCII', () => {
    for (const [raw] of NAMES) assert.ok(says(raw), raw);
    const parts = [...new Set(NAMES.flatMap(([raw]) => raw.split(/(?<=[$/.+ ])|(?=[$/.+ ])|(?<=\D)(?=\d)/)))];
    const symbol = fc
      .array(fc.oneof(fc.constantFrom(...parts), fc.string({ maxLength: 4 })))
      .map((all) => all.join(''));
    fc.assert(
      fc.property(symbol, (raw) => {
        if (normaliseSymbol(raw) !== raw || /[^\0-\x7f]/.test(raw)) assert.ok(says(raw));
      }),
      { numRuns: 5000 },
    );
  });

  it('is false of what most symbols look like', () => {
    for (const symbol of [
      'java/lang/String',
      'lambda$main$1',
      'App$Inner$2',
      'access$000',
      '(Ljava/lang/String;)V',
      '',
    ]) {
      assert.ok(!says(symbol), symbol);
    }
  });
});
