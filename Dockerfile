FROM node:24-trixie-slim AS build
# The Node.js of package.json, which builds and runs Gatehouse, needs libatomic. That of this image does not.
RUN apt-get update && apt-get install -y --no-install-recommends libatomic1 && rm -rf /var/lib/apt/lists/*
WORKDIR /app
# Drivers for databases that few connect to: sqlserver, oracle.
ARG DRIVERS=
COPY . .
RUN sh scripts/run --lean packages/console/scripts/build.ts \
 && sh scripts/run --lean packages/help/scripts/build.ts \
 && for driver in $DRIVERS; do npm ci --no-audit --no-fund --prefix connectors/sql/drivers/$driver || exit; done \
 && npm ci --omit=dev --no-audit --no-fund --workspace @gatehouse/server --workspace @gatehouse/connector \
   --workspace connectors/ldap --workspace connectors/postgres --workspace connectors/scim --workspace connectors/sql \
   --workspace connectors/rest --include-workspace-root \
 && ln -s /app/node_modules/node-linux-*/bin/node node_modules/node

FROM debian:trixie-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends bubblewrap ca-certificates libatomic1 libstdc++6 \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 --no-create-home gatehouse \
 && install -d -m 0700 -o gatehouse /data
WORKDIR /app
COPY --from=build /app /app
# The operator's command: docker compose exec gatehouse gatehouse-server --help
RUN printf '#!/bin/sh\nexec /app/node_modules/node /app/packages/server/src/cli.ts "$@"\n' > /usr/local/bin/gatehouse-server \
 && chmod 755 /usr/local/bin/gatehouse-server
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 GATEHOUSE_DATA_DIR=/data
# Freed memory goes back to the system. Otherwise each thread keeps up to 64 MB of what it needed to start.
ENV MALLOC_TRIM_THRESHOLD_=131072
USER gatehouse
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["/app/node_modules/node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/app/node_modules/node", "--max-semi-space-size=8", "/app/packages/server/src/main.ts"]
