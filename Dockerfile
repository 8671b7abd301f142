FROM node:24-bookworm-slim AS build
WORKDIR /srv/packwatch
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev
COPY . .
RUN npm run build && npm prune --omit=dev

FROM node:24-bookworm-slim
WORKDIR /srv/packwatch
ENV NODE_ENV=production
# Health and metrics are read from outside the container.
ENV DAEMON_HOST=0.0.0.0
COPY --from=build /srv/packwatch/node_modules ./node_modules
COPY --from=build /srv/packwatch/build ./build
COPY --from=build /srv/packwatch/public ./public
COPY --from=build /srv/packwatch/scripts ./scripts
COPY --from=build /srv/packwatch/package.json /srv/packwatch/Procfile ./
CMD ["node", "scripts/commands/procfile.mjs"]
