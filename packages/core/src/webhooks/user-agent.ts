/** deliveries#one-delivery-per-endpoint. The version is this package's. */
export const USER_AGENT = 'Subrail/0.1.0';
