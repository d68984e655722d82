/** Who may ask: the token, and for a server without one the names under which a browser may have come. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { PilotlightError } from '@pilotlight/profile';
import { ROUTES } from '@pilotlight/protocol';
import type { FastifyInstance } from 'fastify';
import { isLoopback, type ServerOptions } from '../options.js';

/** What a probe must be able to ask without a secret. */
const OPEN_ROUTES: ReadonlySet<string> = new Set([ROUTES.ready, ROUTES.healthz]);

export function guard(app: FastifyInstance, options: ServerOptions): void {
  const wanted = options.token === undefined ? undefined : digest(options.token);
  // Without a token the only guard of a server on loopback is that browsers reach it under its own name: DNS rebinding comes under another.
  const checkHost = wanted === undefined && isLoopback(options.listen.host);

  app.addHook('onRequest', async (request, reply) => {
    const host = (request.headers.host ?? '').toLowerCase();
    if (checkHost && !isLoopback(hostName(host))) {
      throw new PilotlightError(
        'forbidden',
        `the host ${JSON.stringify(host.slice(0, 100))} is not this server's name`,
      );
    }
    const { origin } = request.headers;
    if (request.method !== 'GET' && request.method !== 'HEAD' && origin !== undefined && originHost(origin) !== host) {
      throw new PilotlightError('forbidden', `the origin ${JSON.stringify(origin.slice(0, 100))} may not write here`);
    }
    if (OPEN_ROUTES.has(request.url)) return;
    if (!URL.canParse(`http://${host}`)) {
      throw new PilotlightError('malformed_request', `the host ${JSON.stringify(host.slice(0, 100))} is no host`);
    }
    if (wanted === undefined) return;
    const given = tokenOf(request.headers.authorization);
    if (given === undefined || !timingSafeEqual(digest(given), wanted)) {
      reply.header('www-authenticate', 'Basic realm="pilotlight", charset="UTF-8"');
      throw new PilotlightError(
        'unauthenticated',
        'a token is needed: Authorization: Bearer …, or as the password of basic authentication',
      );
    }
  });
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function tokenOf(authorization: string | undefined): string | undefined {
  const [, scheme, value] = /^(Bearer|Basic)\s+(\S+)$/i.exec(authorization ?? '') ?? [];
  if (scheme === undefined || value === undefined) return undefined;
  if (scheme.toLowerCase() === 'bearer') return value;
  const pair = Buffer.from(value, 'base64').toString();
  return pair.slice(pair.indexOf(':') + 1);
}

function hostName(host: string): string {
  return host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
}

function originHost(origin: string): string | undefined {
  try {
    return new URL(origin).host;
  } catch {
    // "null", and whatever else is no address, is nobody's origin.
    return undefined;
  }
}
