# Runs Quern as one process; compose.yaml runs the same image as several services. The default image has one browser;
# the target `full` adds the headless shell and fonts for Chinese, Japanese and Korean.

# The dependencies in the versions of the lock file, including Node.
FROM node:24-bookworm-slim AS packages
WORKDIR /quern
RUN apt-get update && apt-get install -y --no-install-recommends binutils
COPY package.json package-lock.json ./
COPY packages/console/package.json packages/console/
COPY packages/extract/package.json packages/extract/
COPY packages/sites/package.json packages/sites/
COPY packages/quern/package.json packages/quern/
# npm ci rejects the lock file, which lacks packages for other platforms. The files that are deleted afterwards are not used at run time.
RUN npm install --no-save --omit=dev --ignore-scripts --no-audit --no-fund \
  && strip --strip-unneeded node_modules/node-linux-*/bin/node \
  && rm -r node_modules/node-linux-*/include node_modules/node-linux-*/share \
  && find node_modules \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.[cm]ts' \) -delete \
  && find node_modules -type d \( -name test -o -name tests \) -prune -exec rm -r {} +

FROM debian:bookworm-slim AS quern
LABEL org.opencontainers.image.title="Quern" org.opencontainers.image.licenses="Apache-2.0"
# The browser and its fonts, the libraries of Node, and an init process that reaps orphaned processes of the browser.
# GPU drivers and desktop icons (210 MB) are deleted, because the browser runs headless and without a GPU.
RUN apt-get update \
  && apt-get install -y --no-install-recommends \
    chromium fonts-liberation fonts-noto-core fonts-noto-color-emoji libatomic1 libstdc++6 tini \
  && rm -rf /var/lib/apt/lists/* /usr/lib/*/dri /usr/lib/*/libLLVM* /usr/lib/*/libz3* /usr/lib/chromium/libVkLayer* /usr/share/icons
RUN groupadd --gid 10001 quern \
  && useradd --uid 10001 --gid quern --no-create-home --home-dir /data --shell /usr/sbin/nologin quern \
  && install --directory --owner=quern --group=quern --mode=700 /data
COPY --from=packages /quern/node_modules /quern/node_modules
COPY LICENSE package.json /quern/
COPY packages/console/package.json /quern/packages/console/
COPY packages/console/src /quern/packages/console/src
COPY packages/extract/package.json /quern/packages/extract/
COPY packages/extract/src /quern/packages/extract/src
COPY packages/sites/package.json /quern/packages/sites/
COPY packages/sites/src /quern/packages/sites/src
COPY packages/quern/package.json /quern/packages/quern/
COPY packages/quern/bin /quern/packages/quern/bin
COPY packages/quern/src /quern/packages/quern/src
# Without a lock file, a start installs nothing. `quern --version` fails the build if the image cannot start.
RUN ln -s /quern/node_modules/node-linux-*/bin/node /usr/local/bin/node \
  && ln -s /quern/packages/quern/bin/quern.mjs /usr/local/bin/quern \
  && NODE_DISABLE_COMPILE_CACHE=1 quern --version
# The service cannot write to its packages, so the compile cache of Node is in /tmp.
ENV QUERN_HOST=0.0.0.0 QUERN_DATA_DIR=/data NODE_COMPILE_CACHE=/tmp/quern-compiled
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 7700
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.QUERN_PORT || 7700) + '/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--", "node", "/quern/packages/quern/bin/quern.mjs"]
CMD ["serve"]

FROM quern AS full
USER root
RUN apt-get update \
  && apt-get install -y --no-install-recommends chromium chromium-headless-shell fonts-noto-cjk \
  && rm -rf /var/lib/apt/lists/*
USER 10001:10001

# A build without a target builds the last stage.
FROM quern
