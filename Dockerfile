# Builds the image from a checkout. At run time, Engraph downloads only the model of the local embedding provider.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY build-packages.js LICENSE ./
COPY src ./src
RUN node build-packages.js && npm prune --omit=dev --ignore-scripts --no-audit --no-fund
# Install the native runtime of the local model, and keep only its build for the platform of the image.
RUN npm install --prefix /native --ignore-scripts --no-audit --no-fund onnxruntime-node@1.30.0 \
    && cd /native/node_modules/onnxruntime-node/bin/napi-v6 \
    && find . -mindepth 2 -maxdepth 2 ! -path "./linux/$(node -p process.arch)" -exec rm -r {} +

FROM node:24-bookworm-slim
LABEL org.opencontainers.image.title="engraph" \
      org.opencontainers.image.description="Long-term memory for AI assistants" \
      org.opencontainers.image.licenses="MIT"
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /native/node_modules /node_modules
COPY bin ./bin
COPY LICENSE ./
# The folder belongs to the user `node`, so that a new volume belongs to this user too.
RUN install --directory --owner=node --group=node --mode=0700 /data
# On an address other than loopback, Engraph requires a token: set SERVICE_API_TOKEN.
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8001 \
    ENGRAPH_DATA_DIR=/data
USER node
VOLUME /data
EXPOSE 8001
# Any answer counts as healthy: a restart would not help if a store is away, because this process waits for the store.
HEALTHCHECK --interval=15s --timeout=5s --start-period=10s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then(() => process.exit(0), () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "/app/bin/engraph.js"]
CMD ["serve"]
