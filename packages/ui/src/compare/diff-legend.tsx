import { Segments } from '../page/segments.js';
import type { CompareData } from './compare-data.js';
import type { CompareStore } from './compare-store.js';
import { CHANGE_STEPS, STEP_TEXTS } from './diff-scale.js';
import { DARK_DIFF_THEME, LIGHT_DIFF_THEME, stepColour } from './diff-theme.js';

/** What is compared, and what the colours mean. Always there: a colour nobody can read is decoration. */
export function DiffLegend({ store, data, dark }: { store: CompareStore; data: CompareData; dark: boolean }) {
  const { of } = store.comparison.value;
  const { basis, type } = data;
  const theme = dark ? DARK_DIFF_THEME : LIGHT_DIFF_THEME;
  return (
    <div class="diff-legend">
      <Segments
        legend="Compare by"
        options={[
          { value: 'share', text: 'Share', title: 'As parts of each whole: sides of unequal length or load compare' },
          ...(type.over === 'time'
            ? [
                {
                  value: 'rate' as const,
                  text: capital(type.rateTitle),
                  title: 'What was measured ÷ the length of the range',
                },
              ]
            : []),
          { value: 'value', text: 'Absolute', title: 'As they were measured' },
        ]}
        chosen={basis}
        onChoose={(chosen) => store.change({ basis: chosen }, 'replace')}
      />
      <Segments
        legend="Colours tell of"
        options={[
          { value: 'total', text: 'Total', title: 'Colours tell of a frame with all it calls' },
          { value: 'self', text: 'Self', title: 'Colours tell of what a frame took itself' },
        ]}
        chosen={of}
        onChoose={(chosen) => store.change({ of: chosen }, 'replace')}
      />
      <ul aria-label={`Colours: change of ${of === 'self' ? 'own ' : ''}${basis} from A to B`}>
        {CHANGE_STEPS.map((step) => (
          <li
            key={step}
            class={Math.abs(step) === 4 ? 'hatched' : ''}
            style={{ backgroundColor: stepColour(theme, step), color: theme.label, '--hatch': theme.hatch }}
          >
            {STEP_TEXTS.get(step)}
          </li>
        ))}
      </ul>
      <span class="muted" title="So that what is new and what is gone both have their place">
        from A to B; as wide as the larger {basis} of each stack
      </span>
    </div>
  );
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
