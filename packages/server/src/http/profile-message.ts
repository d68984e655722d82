import { fromBinary } from '@bufbuild/protobuf';
import { type Profile, writePprof } from '@pilotlight/profile';
import { type Profile as ProfileMessage, ProfileSchema } from '@pilotlight/protocol/messages';

/** A profile as the RPC answers it: what our writer makes of it, as a message, so that there is one writer of pprof and not two. */
export function profileMessage(profile: Profile): ProfileMessage {
  return fromBinary(ProfileSchema, writePprof(profile));
}
