/** D21.1. The version is this package's. */
export const USER_AGENT = 'Subrail/0.1.0';
