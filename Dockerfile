# The server as an image:
#
#   docker build -t pilotlight .
#   docker run -p 127.0.0.1:4040:4040 -v pilotlight:/data -v ./token.txt:/token:ro -e PILOTLIGHT_TOKEN_FILE=/token pilotlight
#
# Any image with Node.js 20.19 or newer on glibc can be the base; the engine needs no package besides.
ARG BASE=node:20-bookworm-slim

FROM ${BASE} AS build
WORKDIR /app
COPY . .
# What is needed to build and to test is left behind here, so that the image below has one layer for the program.
RUN npm ci --include=dev \
  && npm run build \
  && npm prune --omit=dev \
  && rm -rf scripts tsconfig*.json .stamps \
  && find packages -mindepth 2 -maxdepth 2 ! -name package.json ! -name bin ! -name dist ! -name site ! -name node_modules -exec rm -rf {} + \
  && find packages/*/dist \( -name '*.test.*' -o -name '*.map' -o -name '*.tsbuildinfo' \) -exec rm -f {} + \
  && chmod -R a+rX package.json packages \
  && mkdir -p /volumes/data

FROM ${BASE}
COPY --from=build /app /app
# The folder as content of a copy: whether the target of one gets its owner differs from builder to builder.
COPY --from=build --chown=1000:1000 /volumes/ /

ENV NODE_ENV=production \
  PILOTLIGHT_DATA=/data \
  PILOTLIGHT_LISTEN=0.0.0.0:4040 \
  UV_THREADPOOL_SIZE=16

# By number: Kubernetes can tell only so that it is not root. In Node's images this is `node`.
USER 1000:1000
VOLUME /data
EXPOSE 4040
HEALTHCHECK --start-period=60s --interval=30s --timeout=5s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PILOTLIGHT_LISTEN.split(':').pop() + '/ready').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]

# The address can be reached from elsewhere, so the server starts only with PILOTLIGHT_TOKEN_FILE (or PILOTLIGHT_NO_TOKEN=true).
ENTRYPOINT ["node", "/app/packages/cli/bin/pilotlight.cjs"]
CMD ["serve"]
