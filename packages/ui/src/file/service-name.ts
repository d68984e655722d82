/** The file's name without its endings, with what a service name may not hold replaced; as `pilotlight push` names it. */
export function serviceOf(name: string): string {
  const stem = name.replace(/(?:\.(?:gz|jfr|pb|pprof|txt|folded|collapsed))+$/i, '');
  return stem.replace(/[^A-Za-z0-9_.\-/]/g, '_').slice(0, 200) || 'file';
}
