import { svelte } from '@sveltejs/vite-plugin-svelte';
import vue from '@vitejs/plugin-vue';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** Vue takes an element with a dash for one of the browser. React and Svelte do so by themselves. */
const isCustomElement = (/** @type {string} */ tag) => tag.startsWith('subrail-');

const PAGES = ['html', 'react', 'react/own-look', 'next', 'vue', 'svelte', 'own-look', 'own-look/portal'];

export default defineConfig({
  root: import.meta.dirname,
  // Vite itself compiles the JSX of React; its plugin would only reload components in development.
  plugins: [vue({ template: { compilerOptions: { isCustomElement } } }), svelte()],
  build: {
    rolldownOptions: {
      input: Object.fromEntries(
        PAGES.map((page) => [page, fileURLToPath(new URL(`${page}/index.html`, import.meta.url))]),
      ),
    },
  },
});
