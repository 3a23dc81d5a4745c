// The site. Its pages, sidebar and files are written by scripts/write-site.ts from the Markdown of the project.

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
      description: 'Documentation as a searchable, citable library for AI agents, programs and people',
      favicon: '/mark.svg',
      logo: { src: './src/content/mark.svg', alt: '' },
      customCss: ['./src/styles/site.css'],
      sidebar,
      credits: false,
      pagination: true,
    }),
  ],
});
