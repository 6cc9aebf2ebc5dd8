import { docusaurus } from './generators/docusaurus.ts';
import { nextClient } from './generators/next-client.ts';
import { starlight } from './generators/starlight.ts';
import { vitepress } from './generators/vitepress.ts';
import { generatedSite, type Site } from './site.ts';
import { dokuwiki } from './wikis/dokuwiki.ts';
import { mediawiki } from './wikis/mediawiki.ts';

export const SITES: Readonly<Record<string, Site>> = {
  vitepress: generatedSite('vitepress', vitepress),
  docusaurus: generatedSite('docusaurus', docusaurus),
  starlight: generatedSite('starlight', starlight),
  next: generatedSite('next', nextClient),
  mediawiki,
  dokuwiki,
};
