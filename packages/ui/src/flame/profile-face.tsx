import type { ProfileData } from '../data/profile-data.js';
import type { FlameFace } from './flame-data.js';
import { frameText } from './flame-text.js';

/** One profile: a hue a family of packages, and what each frame took. */
export const PROFILE_FACE: FlameFace<ProfileData> = {
  paint: ({ tree, slots }, theme) => ({
    fill: (node) => theme.slots[slots[tree.name[node] as number] as number] as string,
    label: theme.label,
    run: () => theme.thin,
  }),
  line(profile, node, zoomed) {
    const text = frameText(profile, node, zoomed);
    return (
      <>
        <span>
          <b>total</b> {text.total.value} ({text.total.shares})
        </span>{' '}
        <span>
          <b>self</b> {text.self.value} ({text.self.shares})
        </span>{' '}
        {text.note && <span class="muted">{text.note}</span>}
      </>
    );
  },
  tooltip(profile, node, zoomed) {
    const text = frameText(profile, node, zoomed);
    return (
      <>
        {text.note && (
          <div class="muted">
            {profile.type.title}, {text.note}
          </div>
        )}
        <table>
          <tbody>
            {(['total', 'self'] as const).map((kind) => (
              <tr key={kind}>
                <th scope="row">{kind}</th>
                <td>{text[kind].value}</td>
                <td>{text[kind].shares}</td>
                <td class="muted">{text[kind].exact}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </>
    );
  },
};
