import { useState } from 'preact/hooks';
import { copyText } from '../page/copy-text.js';
import type { PageStore } from '../page/page-store.js';
import { type Instruction, instructionsFor } from './instructions.js';
import { Refusals } from './refusals.js';

interface StartPageProps {
  readonly store: PageStore;
  readonly address: string;
}

/** What an empty store shows: how to send the first profile. It gives way to it by itself. */
export function StartPage({ store, address }: StartPageProps) {
  return (
    <main class="start">
      <h1>No profiles yet</h1>
      <p>
        This server listens at <code>{address}</code>. Start a program in one of these ways; its first profile appears
        here by itself, 10 to 20 seconds later. Where this server asks for a token, each of them needs it too: as the
        password or token of the agent, and in curl as <code>-H "Authorization: Bearer $PILOTLIGHT_TOKEN"</code>.
      </p>
      <Instructions address={address} />
      <section>
        <h2>Sent something, and it is not here?</h2>
        <Refusals store={store} />
      </section>
    </main>
  );
}

export function Instructions({ address }: { address: string }) {
  return (
    <div class="instructions">
      {instructionsFor(address).map((instruction) => (
        <InstructionText key={instruction.id} instruction={instruction} />
      ))}
    </div>
  );
}

function InstructionText({ instruction }: { instruction: Instruction }) {
  const [copied, setCopied] = useState('');
  return (
    <section class="instruction" id={`send-from-${instruction.id}`}>
      <header>
        <h2>{instruction.title}</h2>
        <span role="status" class="muted">
          {copied}
        </span>
        <button
          type="button"
          aria-label={`Copy the lines for ${instruction.title}`}
          onClick={async () =>
            setCopied((await copyText(instruction.lines)) ? 'Copied' : 'Mark the lines and copy them')
          }
        >
          Copy
        </button>
        <span class="lead muted">{instruction.lead}</span>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, by the keyboard too */}
      <pre tabIndex={0}>{instruction.lines}</pre>
    </section>
  );
}
