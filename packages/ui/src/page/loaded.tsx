import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** A component whose code comes when it is first shown; until then there is nothing in its place. */
export function loaded<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let component: ComponentType<Props> | undefined;
  return function Loaded(props: Props) {
    const [Shown, setShown] = useState(() => component);
    useEffect(() => {
      if (component !== undefined) return;
      let isGone = false;
      void load().then((found) => {
        component = found;
        if (!isGone) setShown(() => found);
      });
      return () => {
        isGone = true;
      };
    }, []);
    return Shown === undefined ? null : <Shown {...props} />;
  };
}
