# Quern as one process, or with other commands and settings a part of compose.yaml. The default image has one browser;
# the target `full` adds the light browser and letters for Chinese, Japanese and Korean.

# The packages that the service runs on, its own Node among them, in the versions of the lock file.
FROM node:24-bookworm-slim AS packages
WORKDIR /quern
RUN apt-get update && apt-get install -y --no-install-recommends binutils
COPY package.json package-lock.json ./
COPY packages/console/package.json packages/console/
COPY packages/extract/package.json packages/extract/
COPY packages/sites/package.json packages/sites/
COPY packages/quern/package.json packages/quern/
# npm ci would refuse the lock file: it lacks packages that only other platforms take. What is deleted afterwards is read by no process.
RUN npm install --no-save --omit=dev --ignore-scripts --no-audit --no-fund \
  && strip --strip-unneeded node_modules/node-linux-*/bin/node \
  && rm -r node_modules/node-linux-*/include node_modules/node-linux-*/share \
  && find node_modules \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.[cm]ts' \) -delete \
  && find node_modules -type d \( -name test -o -name tests \) -prune -exec rm -r {} +

FROM debian:bookworm-slim AS quern
LABEL org.opencontainers.image.title="Quern" org.opencontainers.image.licenses="Apache-2.0"
# A browser, letters for what it draws, what Node is linked to, and a first process that buries orphans of the browser.
# Drivers of graphics cards and icons of windows, 210 MB, are deleted: the browser here has neither a card nor a window.
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
# Without the lock file the start installs nothing. Asking for the version shows that this image can start at all.
RUN ln -s /quern/node_modules/node-linux-*/bin/node /usr/local/bin/node \
  && ln -s /quern/packages/quern/bin/quern.mjs /usr/local/bin/quern \
  && NODE_DISABLE_COMPILE_CACHE=1 quern --version
# The packages are not for the service to write to, so what Node compiles is kept elsewhere.
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

# The image of a build without a target is the last one.
FROM quern
