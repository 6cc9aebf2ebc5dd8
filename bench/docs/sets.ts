/** A documentation set from a Debian package, and the selectors of its content. */
export type DocsSet = {
  /** Debian package. */
  readonly from: string;
  readonly by: string;
  readonly folder: string;
  /** Start page for following links. */
  readonly start: string;
  /** Selector of the content element, and selectors of excluded elements inside it. */
  readonly content: string;
  readonly without: readonly string[];
};

const SPHINX_EXCLUDED = ['a.headerlink', '.viewcode-link', '.contents'];

/** Held-out sets, which were not used to develop the rules. */
const HELD_OUT_SETS: Readonly<Record<string, DocsSet>> = {
  java: {
    from: 'openjdk-17-doc',
    by: 'Javadoc',
    folder: '/usr/share/doc/openjdk-17-jre-headless/api',
    start: 'java.base/java/util/ArrayList.html',
    content: 'main',
    without: ['nav', '.anchor-link'],
  },
  gtk4: {
    from: 'libgtk-4-doc',
    by: 'gi-docgen',
    folder: '/usr/share/doc/libgtk-4-doc/gtk4',
    start: 'class.Button.html',
    content: 'section#main',
    without: ['.anchor', '.srclink'],
  },
  qt: {
    from: 'qtbase5-doc-html',
    by: 'QDoc',
    folder: '/usr/share/qt5/doc/qtcore',
    start: 'qstring.html',
    content: 'div.mainContent',
    without: ['.sidebar', '.navigationbar'],
  },
  postgresql: {
    from: 'postgresql-doc-15',
    by: 'DocBook',
    folder: '/usr/share/doc/postgresql-doc-15/html',
    start: 'sql-select.html',
    content: 'body',
    without: ['.navheader', '.navfooter'],
  },
  haddock: {
    from: 'ghc-doc',
    by: 'Haddock',
    folder: '/usr/share/doc/ghc-doc/html/libraries/base-4.15.1.0',
    start: 'Data-List.html',
    content: '#content',
    without: ['#table-of-contents', '#contents-list', '.link', '.selflink'],
  },
  python: {
    from: 'python3.11-doc',
    by: 'Sphinx, its theme of Python',
    folder: '/usr/share/doc/python3.11/html',
    start: 'library/functions.html',
    content: 'div.body',
    without: SPHINX_EXCLUDED,
  },
  erlang: {
    from: 'erlang-doc',
    by: 'erl_docgen',
    folder: '/usr/share/doc/erlang-doc/lib/stdlib-4.2/doc/html',
    start: 'lists.html',
    content: '#content',
    without: ['.title-anchors', '.footer'],
  },
  mkdocs: {
    from: 'mkdocs-doc',
    by: 'MkDocs',
    folder: '/usr/share/doc/mkdocs/html',
    start: 'index.html',
    content: '[role=main]',
    without: ['.headerlink'],
  },
};

/** Sets without specific rules: hand-written HTML, and generators that cannot be recognized. */
const UNSUPPORTED_SETS: Readonly<Record<string, DocsSet>> = {
  libreoffice: {
    from: 'libreoffice-help-en-us',
    by: 'XSLT of its own',
    folder: '/usr/share/libreoffice/help',
    start: 'en-US/text/swriter/guide/main.html',
    content: '#DisplayArea',
    without: [],
  },
  freepascal: {
    from: 'fp-docs-3.2.2',
    by: 'fpdoc',
    folder: '/usr/share/doc/fp-docs/3.2.2/rtl',
    start: 'sysutils/index-5.html',
    content: 'body',
    without: ['table.bar'],
  },
  exim: {
    from: 'exim4-doc-html',
    by: 'XSLT of its own',
    folder: '/usr/share/doc/exim4-doc-html/spec_html',
    start: 'index.html',
    content: '#content',
    without: ['.previous_page', '.next_page', '.toc_page'],
  },
  handbook: {
    from: 'debian-handbook',
    by: 'Publican',
    folder: '/usr/share/doc/debian-handbook/html/en-US',
    start: 'index.html',
    content: 'body',
    without: ['#banner', '#title', '.docnav'],
  },
  r: {
    from: 'r-doc-html',
    by: 'Texinfo, whole books',
    folder: '/usr/share/R/doc/manual',
    start: 'R-data.html',
    content: 'body',
    without: ['.header', '.contents', '.Contents_element', '.copiable-anchor', '.summary-letter'],
  },
  aptitude: {
    from: 'aptitude-doc-ja',
    by: 'DocBook, in Japanese',
    folder: '/usr/share/doc/aptitude/html/ja',
    start: 'index.html',
    content: 'body',
    without: ['.navheader', '.navfooter'],
  },
  developers: {
    from: 'developers-reference',
    by: 'Sphinx, Nature',
    folder: '/usr/share/developers-reference',
    start: 'index.html',
    content: '[role=main]',
    without: SPHINX_EXCLUDED,
  },
  gimp: {
    from: 'gimp-help-en',
    by: 'DocBook',
    folder: '/usr/share/gimp/2.0/help/en',
    start: 'index.html',
    content: 'body',
    without: ['.navheader', '.navfooter'],
  },
};

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
    from: 'cmake-doc',
    by: 'Sphinx, a theme of its own',
    folder: '/usr/share/doc/cmake-data/html',
    start: 'index.html',
    content: 'div.body',
    without: SPHINX_EXCLUDED,
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
    without: [...SPHINX_EXCLUDED, '.nav'],
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
    without: SPHINX_EXCLUDED,
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
  ...HELD_OUT_SETS,
  ...UNSUPPORTED_SETS,
};

/** Pages without prose: indexes, search pages, source code, and whole books on one page. */
export const NON_CONTENT_PAGES = /genindex|^search\.html|-Index\.html$|^contents\.html$|^print\.html$|\.rs\.html$/;
