import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { renderMarkdown, read, sentence } from '../pages.ts';

const SPEAKERS = ['karl', 'nora', 'ida', 'tove'];
const LEVELS = [0, 1, 2, 1];

/** Ways to indent a comment in a table. */
const SPACERS = {
  'an attribute and a picture': (level: number) =>
    `<td class=ind indent=${level}><img src=s.gif height=1 width=${level * 40}></td>`,
  'a picture': (level: number) => `<td><img src=/blank.gif width="${level * 25}px" height=1></td>`,
  'the width of a cell': (level: number) => `<td width=${1 + level * 20}>&nbsp;</td>`.replace('&nbsp;', ' '),
  'the style of a cell': (level: number) => `<td style="padding-left: ${level * 30}px"></td>`,
};

function comment(speaker: string, level: number, text: string, spacer: (level: number) => string): string {
  return `<tr class="athing comtr"><td><table border=0><tr>${spacer(level)}<td class=votelinks><center><a><div class=votearrow></div></a></center></td><td class=default><div><span class=comhead><a href="user?id=${speaker}" class=hnuser>${speaker}</a> <span class=age><a href="item?id=2">2 hours ago</a></span> <span class=navs>| <a href="#1">parent</a> | <a href="#3">next</a></span></span></div><br><div class=comment><div class=commtext>${text}<p>More of ${speaker}.</p></div><div class=reply><p><font size=1><u><a href=reply>reply</a></u></font></div></div></td></tr></table></td></tr>`;
}

function discussion(spacer: (level: number) => string): string {
  const comments = SPEAKERS.map((speaker, at) => comment(speaker, LEVELS[at] ?? 0, sentence(at), spacer)).join('');
  return `<html lang=en><title>Draining a canal | Lock News</title><center><table width="85%"><tr><td bgcolor="#ff6600"><table><tr><td><a href="/"><b>Lock News</b></a> <a href=newest>new</a> | <a href=front>past</a></td><td><a href=login>login</a></td></tr></table></td></tr><tr><td><table class=fatitem border=0><tr class="athing submission"><td class=title></td><td class=votelinks><a href=vote><div class=votearrow></div></a></td><td class=title><span class=titleline><a href="https://example.org/drain">Draining a canal (1998)</a><span class="sitebit comhead"> (<a href=from><span class=sitestr>example.org</span></a>)</span></span></td></tr><tr><td colspan=2></td><td class=subtext><span class=subline><span class=score>120 points</span> by <a href="user?id=ida" class=hnuser>ida</a> <span class=age><a href="item?id=1">3 hours ago</a></span> | <a href=hide>hide</a></span></td></tr></table><br><table border=0 class=comment-tree>${comments}</table></td></tr></table></center>`;
}

function rows(spacer: string): string {
  return `<table><tr>${spacer}<td><p>One.<p>Two.</td></tr><tr>${spacer}<td><p>Three.<p>Four.</td></tr></table>`;
}

suite('a discussion in layout tables', () => {
  for (const [what, spacer] of Object.entries(SPACERS)) {
    test(`sets each answer in below what it answers: by ${what}`, () => {
      const markdown = renderMarkdown(discussion(spacer));
      for (const [at, speaker] of SPEAKERS.entries()) {
        const mark = '> '.repeat(LEVELS[at] ?? 0);
        assert.match(markdown, new RegExp(`^${mark}\\[${speaker}\\]\\(`, 'm'));
        assert.match(markdown, new RegExp(`^${mark}More of ${speaker}\\.$`, 'm'));
      }
    });
  }

  test('keeps its title, its points and its authors', () => {
    const markdown = read(discussion(SPACERS['an attribute and a picture'])).outputs.markdown ?? '';
    const parts = [
      'Draining a canal \\(1998\\)',
      '120 points',
      ...SPEAKERS.flatMap((name) => [`\\[${name}\\]`, `More of ${name}`]),
    ];
    assert.match(markdown, new RegExp(parts.join('[^]*')));
    assert.doesNotMatch(markdown, /login/);
  });

  test('replies are indented at most twelve levels', () => {
    const deep = Array.from(
      { length: 3000 },
      (_, level) => `<tr><td><img src=s.gif height=1 width=${level + 9}></td><td><p>Answer ${level}.<p>More.</td></tr>`,
    ).join('');
    const markdown = renderMarkdown(`<table>${deep}</table>`);
    assert.match(markdown, /^> Answer 1\.$/m);
    assert.match(markdown, /^(?:> ){12}Answer 2999\.$/m);
  });

  test('equally indented rows and data tables are not replies', () => {
    assert.doesNotMatch(renderMarkdown(rows('<td width=20></td>')), />/);
    assert.doesNotMatch(
      renderMarkdown('<table><tr><td width=10>1</td><td>a</td></tr><tr><td width=20>2</td><td>b</td></tr></table>'),
      />/,
    );
  });
});
