/**
 * Names that a JVM makes up anew in every process would tear one function into many. Here their changing part becomes
 * `_`, once for each class or method symbol. A substring test comes before each pattern, since patterns on every symbol
 * cost more than all the rest of the reader.
 */
interface Rule {
  /** No symbol without this text can match. */
  readonly guard: string;
  readonly pattern: RegExp;
  readonly replacement: string;
}

const HASH = '(?:0x[\\da-fA-F]+|\\d+)';

const RULES: readonly Rule[] = [
  // Reflection: jdk/internal/reflect/GeneratedMethodAccessor17
  {
    guard: 'Accessor',
    pattern: /(\/reflect\/Generated(?:Method|Constructor|SerializationConstructor)Accessor)\d+/,
    replacement: '$1_',
  },
  // Lambdas: X$$Lambda$14/0x0000000840068c40, X$$Lambda/0x…, X$$Lambda.0x…, X$$Lambda+0x…/123
  {
    guard: '$$Lambda',
    pattern: new RegExp(`\\$\\$Lambda(?:\\$\\d+(?:[/.+]${HASH})*|(?:[/.+]${HASH})+)`),
    replacement: '$$$$Lambda_',
  },
  // Method handles: java/lang/invoke/LambdaForm$MH/0x0000000800c1, LambdaForm$DMH.123
  {
    guard: 'LambdaForm$',
    pattern: new RegExp(`(LambdaForm\\$[A-Za-z]+)(?:\\d+)?(?:[/.+]${HASH})+`),
    replacement: '$1_',
  },
  // Spring and CGLIB: X$$EnhancerBySpringCGLIB$$1a2b3c, X$$FastClassByCGLIB$$…, X$$SpringCGLIB$$0
  { guard: 'CGLIB$$', pattern: /(CGLIB\$\$)[\da-fA-F]+/g, replacement: '$1_' },
  // Dynamic proxies: com/sun/proxy/$Proxy12, jdk/proxy2/$Proxy7
  { guard: '$Proxy', pattern: /\$Proxy\d+/, replacement: '$$Proxy_' },
  { guard: 'jdk/proxy', pattern: /^jdk\/proxy\d+\//, replacement: 'jdk/proxy_/' },
  // Byte Buddy, Hibernate and Mockito: X$ByteBuddy$Ab12Cd34, X$MockitoMock$123
  {
    guard: '$',
    pattern: /(\$(?:ByteBuddy|HibernateProxy|HibernateInstantiator|HibernateBasicProxy|MockitoMock|auxiliary)\$)\w+/,
    replacement: '$1_',
  },
  // Groovy scripts evaluated at run time: Script1700000000000ABC…
  { guard: 'Script', pattern: /(^|\/)Script(?:_?[\da-fA-F]{8,}|\d+)(?=$|\$)/, replacement: '$1Script_' },
  // Libraries that unpack themselves under a new name: libzstd-jni-1.5.2-512345678901.so,
  // libasyncProfiler-linux-x64-<hash>.so
  { guard: 'libzstd-jni-', pattern: /libzstd-jni-[\w.-]+\.so/, replacement: 'libzstd-jni-_.so' },
  { guard: 'libasyncProfiler-', pattern: /libasyncProfiler-[\w.-]+\.so/, replacement: 'libasyncProfiler-_.so' },
  { guard: 'snappy', pattern: /snappy-[\w.-]+-(libsnappyjava\.so)/, replacement: 'snappy-_-$1' },
  {
    guard: 'libamazonCorretto',
    pattern: /libamazonCorrettoCryptoProvider[\w.-]*\.so/,
    replacement: 'libamazonCorrettoCryptoProvider_.so',
  },
  {
    guard: '.so',
    pattern: /(liblz4-java-|librocksdbjni-?|libnetty_[a-z_]+(?:x86_64|aarch_64)|libjansi-)[\w.-]*\d[\w.-]*\.so/,
    replacement: '$1_.so',
  },
  { guard: ' (deleted)', pattern: / \(deleted\)$/, replacement: '' },
  // What is left of hidden classes: X/0x0000000800c10000, X.0x…, X+0x…/12, X/1234567
  { guard: '', pattern: /(?:[/.+]0x[\da-fA-F]{4,}(?:\/\d+)?|\/\d{3,})$/, replacement: '_' },
];

/** Every symbol a rule changes has one of these characters; most have none. */
const SUSPECT = /[\d$(]|Script/;

/**
 * Pairs of neighbouring bytes without one of which no rule changes a symbol. The bytes that come first, and those that come
 * second, of each kind of pair have its bit.
 */
const FIRST = new Uint8Array(256);
const SECOND = new Uint8Array(256);
const DIGITS = '0123456789';
[
  // $$Lambda, CGLIB$$, $Proxy, $ByteBuddy, $Hibernate…, $MockitoMock, $auxiliary
  ['$', '$PBHMa'],
  // LambdaForm$
  ['m', '$'],
  // What is left of hidden classes
  ['/.+', DIGITS],
  // …Accessor17, jdk/proxy2
  ['ry', DIGITS],
  // Script1
  ['S', 'c'],
  // Libraries
  ['.', 's'],
  // (deleted)
  [' ', '('],
].forEach(([first, second], pair) => {
  for (const character of first as string) FIRST[character.charCodeAt(0)]! |= 1 << pair;
  for (const character of second as string) SECOND[character.charCodeAt(0)]! |= 1 << pair;
});

/** False when a symbol of these bytes is ASCII and `normaliseSymbol` would leave it as it is. */
export function mayBeGenerated(bytes: Uint8Array, start: number, end: number): boolean {
  let first = 0;
  for (let i = start; i < end; i++) {
    const byte = bytes[i] as number;
    if (byte >= 0x80 || ((FIRST[first] as number) & (SECOND[byte] as number)) !== 0) return true;
    first = byte;
  }
  return false;
}

/** The name of a class or method as shown. */
export function normaliseSymbol(symbol: string): string {
  if (!SUSPECT.test(symbol)) return symbol;
  let name = symbol;
  for (const { guard, pattern, replacement } of RULES) {
    if (name.includes(guard)) name = name.replace(pattern, replacement);
  }
  return name;
}
