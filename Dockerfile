# Node 24.18.0. The digest fixes the exact image; a newer one comes by a change of this line:
# docker buildx imagetools inspect node:24-bookworm-slim
FROM node:24-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d AS build
WORKDIR /srv/packwatch
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev
COPY . .
RUN npm run build && npm prune --omit=dev

FROM node:24-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d
WORKDIR /srv/packwatch
ENV NODE_ENV=production
# Health and metrics are read from outside the container.
ENV DAEMON_HOST=0.0.0.0
# The program's files belong to root: the processes can read and not change them.
COPY --from=build /srv/packwatch/node_modules ./node_modules
COPY --from=build /srv/packwatch/build ./build
COPY --from=build /srv/packwatch/public ./public
COPY --from=build /srv/packwatch/scripts ./scripts
COPY --from=build /srv/packwatch/package.json /srv/packwatch/Procfile /srv/packwatch/litestream.yml ./
# A second copy of the database (docs/operating.md): this line, and those of the Procfile.
# COPY --from=litestream/litestream:0.5.17 /usr/local/bin/litestream /usr/local/bin/litestream
# A volume that is mounted here for the first time gets this owner.
RUN mkdir --mode=700 /data && chown node:node /data
ENV DATA_DIR=/data
USER node
CMD ["node", "scripts/commands/procfile.mjs"]
