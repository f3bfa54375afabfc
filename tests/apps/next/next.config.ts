export default { serverExternalPackages: ['@subrail/adapters'] };
