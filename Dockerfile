# An image that serves the sandbox: docker build -t merchant-orders-sandbox . (see docs/sandbox.md)
FROM node:22-slim AS package
WORKDIR /source
COPY . .
RUN npm ci && npm pack --pack-destination /

FROM node:22-slim
COPY --from=package /merchant-orders-*.tgz /
RUN npm install --global --no-audit --no-fund /merchant-orders-*.tgz && rm /merchant-orders-*.tgz && mkdir /data && chown node /data
USER node
VOLUME /data
EXPOSE 4010
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4010/health').then(({ ok }) => process.exit(ok ? 0 : 1))"]
ENTRYPOINT ["merchant-orders", "sandbox", "start", "--host", "0.0.0.0", "--db", "/data/sandbox.db"]
