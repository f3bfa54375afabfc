#!/bin/sh
# Builds the host from this repository into another folder, which then has everything but Node:
#   sh deploy/build.sh /opt/subrail
set -eu
target=$(node -p 'path.resolve(process.argv[1])' "${1:?Name the folder to build into.}")
cd "$(dirname "$0")/.."
pnpm="npx --yes $(node -p 'require("./package.json").packageManager')"

# It warns of the commands of packages that are not built yet.
$pnpm install --frozen-lockfile --loglevel=error
# Of what it needs to run: its tests need packages that are not built.
$pnpm --filter-prod '@subrail/host-node...' exec tsup --no-dts
# The new build is made next to the one that may be running, and takes its place at once.
rm -rf "$target.new"
$pnpm --config.inject-workspace-packages=true --filter @subrail/host-node deploy --prod "$target.new"
node scripts/tasks/as-published.mjs "$target.new"
# A peer of libraries that only compilers read.
rm -rf "$target.new"/node_modules/.pnpm/typescript@* "$target.new"/node_modules/.pnpm/@typescript+typescript-*
mkdir "$target.new/bin"
ln -s ../dist/main.js "$target.new/bin/subrail"

rm -rf "$target.old"
if [ -e "$target" ]; then mv "$target" "$target.old"; fi
mv "$target.new" "$target"
echo "The host is in $target. Start it with $target/bin/subrail start."
