// The documentation site. scripts/write-site.ts generates its pages, sidebar and files from the project's Markdown.

import { readFileSync } from 'node:fs';
import starlight from '@astrojs/starlight';
import { defineConfig, passthroughImageService } from 'astro/config';

const sidebar = JSON.parse(readFileSync(new URL('src/content/sidebar.json', import.meta.url), 'utf8'));

export default defineConfig({
  site: process.env.SITE_URL,
  outDir: process.env.SITE_OUT ?? './dist',
  image: { service: passthroughImageService() },
  integrations: [
    starlight({
      title: 'Pinakes',
      description: 'Crawl documentation, search it locally, and give AI assistants passages they can cite',
      favicon: '/mark.svg',
      logo: { src: './src/content/mark.svg', alt: '' },
      customCss: ['./src/styles/site.css'],
      sidebar,
      credits: false,
      pagination: true,
    }),
  ],
});
