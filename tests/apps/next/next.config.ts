import type { NextConfig } from 'next';

const config: NextConfig = {
  // Its drivers cannot be bundled: one is a native addon, and those that are not installed are not found.
  serverExternalPackages: ['@subrail/adapters'],
};

export default config;
