import type { NextConfig } from 'next';

const config: NextConfig = {
  // A native addon cannot be bundled.
  serverExternalPackages: ['better-sqlite3'],
};

export default config;
