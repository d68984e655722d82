import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { lateStyle } from './late-style.js';

const RETRY_MILLIS = 5_000;

/**
 * A component whose code comes when it is first shown; until then there is nothing in its place. When it does not come, `onFailed` is called, whose part it is to take
 * it away or to leave it: it is asked for again every few seconds.
 */
export function loaded<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props & { onFailed: () => void }> {
  let component: ComponentType<Props> | undefined;
  return function Loaded(props) {
    const [Shown, setShown] = useState(() => component);
    useEffect(() => {
      if (component !== undefined) return;
      let isGone = false;
      let retry: ReturnType<typeof setTimeout> | undefined;
      const ask = () =>
        Promise.all([load(), lateStyle()]).then(
          ([found]) => {
            component = found;
            if (!isGone) setShown(() => found);
          },
          () => {
            if (isGone) return;
            retry = setTimeout(ask, RETRY_MILLIS);
            props.onFailed();
          },
        );
      void ask();
      return () => {
        isGone = true;
        clearTimeout(retry);
      };
    }, []);
    return Shown === undefined ? null : <Shown {...props} />;
  };
}
