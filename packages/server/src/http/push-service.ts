import type { ConnectRouter } from '@connectrpc/connect';
import { PilotlightError } from '@pilotlight/profile';
import { PusherService } from '@pilotlight/protocol/messages';
import { INFLATED_BYTES_MAX } from './body-budget.js';
import { connectError } from './errors.js';
import { type Intake, TENANT } from './intake.js';

/** `push.v1.PusherService/Push`. */
export function pushService(router: ConnectRouter, intake: Intake, retentionAgeSeconds: number): void {
  router.service(PusherService, {
    async push(request, { requestHeader }) {
      try {
        const series = request.series.map(({ labels, samples }) => ({
          labels: labels.map(({ name, value }) => ({ name, value })),
          // Copies: the message's bytes are views of one buffer that can't be handed over in pieces. Not `slice`, which makes no copy of a Buffer.
          profiles: samples.map(({ rawProfile }) => new Uint8Array(rawProfile)),
        }));
        if (series.every(({ profiles }) => profiles.length === 0)) {
          throw new PilotlightError('malformed_request', 'the push holds no profile');
        }
        const transfer = series.flatMap(({ profiles }) => profiles.map(({ buffer }) => buffer as ArrayBuffer));
        await intake.take(
          {
            kind: 'push',
            tenant: TENANT,
            receivedMs: Date.now(),
            retentionAgeSeconds,
            inflatedBytesMax: INFLATED_BYTES_MAX,
            series,
          },
          transfer,
          { spyName: '', userAgent: requestHeader.get('user-agent') ?? '' },
        );
        return {};
      } catch (thrown) {
        throw connectError(thrown);
      }
    },
  });
}
