/** How the command is run here, in lines that can be run as printed: in the repository it is an npm script. */
export const SUBRAIL = import.meta.url.endsWith('.ts') ? 'npm start --silent --' : 'npx subrail';
