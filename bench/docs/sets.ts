/** A documentation set as a Debian package installs it, and where its generator says the content of a page is. */
export type DocsSet = {
  /** The Debian package that holds it. */
  readonly from: string;
  readonly by: string;
  readonly folder: string;
  /** The page from which links are followed. */
  readonly start: string;
  /** The element that holds the content, and those inside it that are none; as `div#id.class[role=main]`. */
  readonly content: string;
  readonly without: readonly string[];
};

const SPHINX = ['a.headerlink', '.viewcode-link', '.contents'];

export const SETS: Readonly<Record<string, DocsSet>> = {
  apache: {
    from: 'apache2-doc',
    by: 'XSLT of its own',
    folder: '/usr/share/doc/apache2-doc/manual/en',
    start: 'mod/index.html',
    content: '#page-content',
    without: ['.toplang', '.top', '#quickview', '.up', '#comments_section', 'a.permalink'],
  },
  git: {
    from: 'git-doc',
    by: 'AsciiDoc',
    folder: '/usr/share/doc/git-doc',
    start: 'git.html',
    content: 'body',
    without: ['#footer'],
  },
  cmake: {
    from: 'cmake-data',
    by: 'Sphinx, a theme of its own',
    folder: '/usr/share/doc/cmake-data/html',
    start: 'index.html',
    content: 'div.body',
    without: SPHINX,
  },
  nodejs: {
    from: 'nodejs-doc',
    by: 'a generator of its own',
    folder: '/usr/share/doc/nodejs/api',
    start: 'documentation.html',
    content: '#apicontent',
    without: ['.mark', '.toc', '.picker'],
  },
  gtk: {
    from: 'libgtk-3-doc',
    by: 'gtk-doc',
    folder: '/usr/share/gtk-doc/html/gtk3',
    start: 'index.html',
    content: 'body',
    without: ['.navigation', '.footer', '.listing_lines'],
  },
  django: {
    from: 'python-django-doc',
    by: 'Sphinx, an old theme',
    folder: '/usr/share/doc/python-django-doc/html',
    start: 'contents.html',
    content: '#yui-main',
    without: [...SPHINX, '.nav'],
  },
  doxygen: {
    from: 'doxygen-doc',
    by: 'Doxygen',
    folder: '/usr/share/doc/doxygen/html',
    start: 'index.html',
    content: '#doc-content',
    without: ['#nav-path', '.ttc', '.toc', '.summary', '#MSearchSelectWindow'],
  },
  bind: {
    from: 'bind9-doc',
    by: 'Sphinx, Read the Docs',
    folder: '/usr/share/doc/bind9-doc/arm',
    start: 'index.html',
    content: '[role=main]',
    without: SPHINX,
  },
  zsh: {
    from: 'zsh-doc',
    by: 'Texinfo',
    folder: '/usr/share/doc/zsh-common/html',
    start: 'index.html',
    content: 'body',
    without: ['.header', '.nav-panel', '.copiable-link', '.copiable-anchor', 'font[size=-1]'],
  },
  book: {
    from: 'rust-doc',
    by: 'mdBook',
    folder: '/usr/share/doc/rust-doc/html/book',
    start: 'title-page.html',
    content: 'main',
    without: ['nav'],
  },
  rustdoc: {
    from: 'rust-doc',
    by: 'rustdoc',
    folder: '/usr/share/doc/rust-doc/html/alloc',
    start: 'index.html',
    content: '#main-content',
    without: ['.src', '.srclink', 'rustdoc-toolbar', 'a.anchor', '.out-of-band'],
  },
  boost: {
    from: 'libboost1.81-doc',
    by: 'BoostBook',
    folder: '/usr/share/doc/libboost1.81-doc/doc/html',
    start: 'accumulators.html',
    content: 'body',
    without: ['.spirit-nav', '.copyright-footer', 'table[cellpadding=2]', 'table[xmlns:rev]'],
  },
};

/** Pages that are no text to index: indexes of names, searches, sources, the book as one page. */
export const NO_TEXT = /genindex|^search\.html|-Index\.html$|^contents\.html$|^print\.html$|\.rs\.html$/;
