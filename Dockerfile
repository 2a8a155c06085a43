# Built from the package of the server: npm run packs -- server
FROM node:24-trixie-slim AS build
# Drivers for databases that few connect to: sqlserver, oracle.
ARG DRIVERS=
COPY dist-release/gatehouse-server-*.tgz /tmp/
RUN npm install --global --prefix /gatehouse --no-audit --no-fund /tmp/gatehouse-server-*.tgz \
 && cd /gatehouse/lib/node_modules/@gatehouse/server \
 && for driver in $DRIVERS; do npm ci --no-audit --no-fund --prefix connectors/sql/drivers/$driver || exit; done \
 && rm -rf node_modules/node-*/include node_modules/node-*/share \
 && cd /gatehouse/bin \
 && ln -s ../lib/node_modules/@gatehouse/server/node_modules/node-*/bin/node node

FROM debian:trixie-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends bubblewrap ca-certificates libatomic1 libstdc++6 \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 --no-create-home gatehouse \
 && install -d -m 0700 -o gatehouse /data
# With the operator's command: docker compose exec gatehouse gatehouse-server --help
COPY --from=build /gatehouse /usr/local
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 GATEHOUSE_DATA_DIR=/data
USER gatehouse
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Replaces itself by the server, with its options of Node.js.
ENTRYPOINT ["gatehouse-server"]
